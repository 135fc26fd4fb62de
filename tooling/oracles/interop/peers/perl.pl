# Perl's Encode as a peer: "UTF-8", which is strict, and "utf8", which is lax and goes beyond 31 bits.
# The protocol is described in ../README.md.
#
# Replacing is not among the operations: it follows no rule that one could write down. Encode 3.17 makes
# one U+FFFD of B6 E2 BE B9, and the U+2FB9 in it is lost.
use strict;
use warnings;
no warnings qw(utf8 portable);
use Encode ();

# Code points, eight hexadecimal digits each; sixteen where one is beyond 32 bits.
sub points {
    return join '', map { sprintf $_ > 0xffffffff ? '%016x' : '%08x', $_ } unpack 'W*', $_[0];
}

# FB_QUIET stops at a fault and leaves it in the source.
sub decoder {
    my $encoding = Encode::find_encoding($_[0]);
    return sub {
        my $source = $_[0];
        my $length = length $source;
        my $text = $encoding->decode($source, Encode::FB_QUIET);
        return 'ok ' . points($text) if $source eq '';
        return 'fault ' . ($length - length $source) . ' -';
    };
}

my %operations = (
    about => sub { "ok Perl $], Encode $Encode::VERSION" },
    'utf8.decode' => decoder('UTF-8'),
    'lax.decode' => decoder('utf8'),
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
