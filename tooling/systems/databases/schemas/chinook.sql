-- Chinook, a shop for music: the published tables, columns and keys. {blob}, {time}: as each server calls them.
CREATE TABLE "Artist" ("ArtistId" INT NOT NULL PRIMARY KEY, "Name" VARCHAR(120));
CREATE TABLE "Album" ("AlbumId" INT NOT NULL PRIMARY KEY, "Title" VARCHAR(160) NOT NULL, "ArtistId" INT NOT NULL);
CREATE TABLE "Employee" (
  "EmployeeId" INT NOT NULL PRIMARY KEY, "LastName" VARCHAR(20) NOT NULL, "FirstName" VARCHAR(20) NOT NULL,
  "Title" VARCHAR(30), "ReportsTo" INT, "BirthDate" {time}, "HireDate" {time}, "Address" VARCHAR(70),
  "City" VARCHAR(40), "State" VARCHAR(40), "Country" VARCHAR(40), "PostalCode" VARCHAR(10), "Phone" VARCHAR(24),
  "Fax" VARCHAR(24), "Email" VARCHAR(60));
CREATE TABLE "Customer" (
  "CustomerId" INT NOT NULL PRIMARY KEY, "FirstName" VARCHAR(40) NOT NULL, "LastName" VARCHAR(20) NOT NULL,
  "Company" VARCHAR(80), "Address" VARCHAR(70), "City" VARCHAR(40), "State" VARCHAR(40), "Country" VARCHAR(40),
  "PostalCode" VARCHAR(10), "Phone" VARCHAR(24), "Fax" VARCHAR(24), "Email" VARCHAR(60) NOT NULL, "SupportRepId" INT);
CREATE TABLE "Genre" ("GenreId" INT NOT NULL PRIMARY KEY, "Name" VARCHAR(120));
CREATE TABLE "MediaType" ("MediaTypeId" INT NOT NULL PRIMARY KEY, "Name" VARCHAR(120));
CREATE TABLE "Invoice" (
  "InvoiceId" INT NOT NULL PRIMARY KEY, "CustomerId" INT NOT NULL, "InvoiceDate" {time} NOT NULL,
  "BillingAddress" VARCHAR(70), "BillingCity" VARCHAR(40), "BillingState" VARCHAR(40), "BillingCountry" VARCHAR(40),
  "BillingPostalCode" VARCHAR(10), "Total" NUMERIC(10,2) NOT NULL);
CREATE TABLE "Track" (
  "TrackId" INT NOT NULL PRIMARY KEY, "Name" VARCHAR(200) NOT NULL, "AlbumId" INT, "MediaTypeId" INT NOT NULL,
  "GenreId" INT, "Composer" VARCHAR(220), "Milliseconds" INT NOT NULL, "Bytes" INT, "UnitPrice" NUMERIC(10,2) NOT NULL);
CREATE TABLE "InvoiceLine" (
  "InvoiceLineId" INT NOT NULL PRIMARY KEY, "InvoiceId" INT NOT NULL, "TrackId" INT NOT NULL,
  "UnitPrice" NUMERIC(10,2) NOT NULL, "Quantity" INT NOT NULL);
CREATE TABLE "Playlist" ("PlaylistId" INT NOT NULL PRIMARY KEY, "Name" VARCHAR(120));
CREATE TABLE "PlaylistTrack" ("PlaylistId" INT NOT NULL, "TrackId" INT NOT NULL, PRIMARY KEY ("PlaylistId", "TrackId"));
ALTER TABLE "Album" ADD CONSTRAINT "FK_AlbumArtistId" FOREIGN KEY ("ArtistId") REFERENCES "Artist" ("ArtistId");
ALTER TABLE "Customer" ADD CONSTRAINT "FK_CustomerSupportRepId" FOREIGN KEY ("SupportRepId") REFERENCES "Employee" ("EmployeeId");
ALTER TABLE "Employee" ADD CONSTRAINT "FK_EmployeeReportsTo" FOREIGN KEY ("ReportsTo") REFERENCES "Employee" ("EmployeeId");
ALTER TABLE "Invoice" ADD CONSTRAINT "FK_InvoiceCustomerId" FOREIGN KEY ("CustomerId") REFERENCES "Customer" ("CustomerId");
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "FK_InvoiceLineInvoiceId" FOREIGN KEY ("InvoiceId") REFERENCES "Invoice" ("InvoiceId");
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "FK_InvoiceLineTrackId" FOREIGN KEY ("TrackId") REFERENCES "Track" ("TrackId");
ALTER TABLE "PlaylistTrack" ADD CONSTRAINT "FK_PlaylistTrackPlaylistId" FOREIGN KEY ("PlaylistId") REFERENCES "Playlist" ("PlaylistId");
ALTER TABLE "PlaylistTrack" ADD CONSTRAINT "FK_PlaylistTrackTrackId" FOREIGN KEY ("TrackId") REFERENCES "Track" ("TrackId");
ALTER TABLE "Track" ADD CONSTRAINT "FK_TrackAlbumId" FOREIGN KEY ("AlbumId") REFERENCES "Album" ("AlbumId");
ALTER TABLE "Track" ADD CONSTRAINT "FK_TrackGenreId" FOREIGN KEY ("GenreId") REFERENCES "Genre" ("GenreId");
ALTER TABLE "Track" ADD CONSTRAINT "FK_TrackMediaTypeId" FOREIGN KEY ("MediaTypeId") REFERENCES "MediaType" ("MediaTypeId");
CREATE INDEX "IFK_AlbumArtistId" ON "Album" ("ArtistId");
CREATE INDEX "IFK_TrackName" ON "Track" ("Name");
