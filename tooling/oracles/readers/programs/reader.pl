# Perl's Encode as a reader: perl reader.pl lax|strict|check [--lines]. ../README.md has the protocol.
use strict;
use warnings;
use Encode ();

my ($mode, $lines) = @ARGV;
my $encoding = $mode eq 'lax' ? 'utf8' : 'UTF-8';
my $check = $mode eq 'check' ? Encode::FB_CROAK : Encode::FB_DEFAULT;
# Surrogates and noncharacters are to be printed as they are.
no warnings 'utf8';

sub read_text {
    my ($bytes) = @_;
    my $text = eval { Encode::decode($encoding, $bytes, $check) };
    return unless defined $text;
    # Perl's own form of its strings, which is UTF-8 to 72 bits.
    utf8::encode($text);
    return $text;
}

binmode STDIN;
binmode STDOUT;
if ($lines) {
    $| = 1;
    while (my $line = <STDIN>) {
        chomp $line;
        my $text = read_text(pack 'H*', $line);
        print defined $text ? unpack('H*', $text) : '-', "\n";
    }
} else {
    local $/;
    my $bytes = <STDIN>;
    my $text = read_text($bytes // '');
    exit 1 unless defined $text;
    print $text;
}
