# Perl's Encoding::FixLatin as a peer: UTF-8, Latin-1 and Windows-1252 mixed. The protocol is described in
# ../README.md.
use strict;
use warnings;
use Encoding::FixLatin ();

my %operations = (
    about => sub { "ok Encoding::FixLatin $Encoding::FixLatin::VERSION" },
    fix => sub { 'ok ' . unpack 'H*', Encoding::FixLatin::fix_latin($_[0], bytes_only => 1) },
);

binmode STDIN;
binmode STDOUT;
while (my $line = <STDIN>) {
    chomp $line;
    if ($line eq '') {
        STDOUT->flush;
        next;
    }
    my ($name, $digits) = split / /, $line, 2;
    my $operation = $operations{$name};
    print $operation ? $operation->(pack 'H*', $digits // '') : "unknown $name", "\n";
}
