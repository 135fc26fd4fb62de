<?php
// PHP's functions as a reader: php reader.php mbstring|scrub|iconv|ignore|html [--lines]. ../README.md has the protocol.
error_reporting(0);
$mode = $argv[1];
mb_substitute_character(0xFFFD);

function read_text(string $bytes, string $mode)
{
    switch ($mode) {
        case 'mbstring':
            return mb_convert_encoding($bytes, 'UTF-8', 'UTF-8');
        case 'iconv':
            return iconv('UTF-8', 'UTF-8', $bytes);
        case 'ignore':
            return iconv('UTF-8', 'UTF-8//IGNORE', $bytes);
        default:
            $text = htmlspecialchars($bytes, ENT_NOQUOTES | ENT_SUBSTITUTE, 'UTF-8');
            return htmlspecialchars_decode($text, ENT_NOQUOTES);
    }
}

if (($argv[2] ?? '') === '--lines') {
    while (($line = fgets(STDIN)) !== false) {
        $text = read_text(hex2bin(rtrim($line)), $mode);
        echo $text === false ? '-' : bin2hex($text), "\n";
        flush();
    }
} else {
    $text = read_text(stream_get_contents(STDIN), $mode);
    if ($text === false) {
        exit(1);
    }
    echo $text;
}
