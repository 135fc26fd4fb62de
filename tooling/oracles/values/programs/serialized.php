<?php
// Serialized values of PHP itself.
//
//   serialized.php read               answers each line of base64 with 1 if it is a serialized value as a whole, else 0
//   serialized.php pairs SEED COUNT   prints values as two columns of base64: with texts in CESU-8, and in UTF-8

error_reporting(0);

enum Suit: string
{
    case Hearts = 'h';
}

class Names
{
    public $open;
    protected $shared;
    private $own;

    public function __construct($open, $shared, $own)
    {
        $this->open = $open;
        $this->shared = $shared;
        $this->own = $own;
    }
}

/** Writes `C:`, as all classes with data of their own did before PHP 7.4. */
class Custom implements Serializable
{
    public $value;

    public function serialize()
    {
        return serialize($this->value);
    }

    public function unserialize($data)
    {
        $this->value = unserialize($data);
    }
}

/** Spells characters above U+FFFF as pairs of surrogates. */
function toCesu8(string $text): string
{
    return preg_replace_callback('/[\x{10000}-\x{10FFFF}]/u', function ($match) {
        $code = mb_ord($match[0], 'UTF-8') - 0x10000;
        $units = [0xD800 | ($code >> 10), 0xDC00 | ($code & 0x3FF)];
        return implode('', array_map(
            fn ($unit) => chr(0xED) . chr(0x80 | ($unit >> 6 & 0x3F)) . chr(0x80 | ($unit & 0x3F)),
            $units,
        ));
    }, $text);
}

function quoteJson(string $text): string
{
    return '"' . strtr($text, ['\\' => '\\\\', '"' => '\\"', "\0" => '\\u0000', "\n" => '\\n']) . '"';
}

const PARTS = ['a', 'é', '日本', '😀', '😀😀', '🎉 ', '"', '";', '\\', "\n", '}', ':', 'x|', "it's ", "\0", 's:3:'];

function makeText(callable $encode): string
{
    $text = '';
    for ($i = mt_rand(0, 6); $i > 0; $i--) $text .= PARTS[mt_rand(0, count(PARTS) - 1)];
    return $encode($text);
}

function makeValue(callable $encode, int $depth)
{
    $kind = mt_rand(0, $depth > 4 ? 5 : 12);
    switch ($kind) {
        case 0: return null;
        case 1: return mt_rand(0, 1) === 1;
        case 2: return mt_rand(-1000, 1000);
        case 3: return mt_rand(-1000, 1000) / 7 * 10 ** mt_rand(-30, 30);
        case 6: return serialize(makeValue($encode, $depth + 1));
        case 7: return '{"a":[' . quoteJson(serialize(makeValue($encode, $depth + 1))) . ']}';
        case 8: return new Names(makeValue($encode, $depth + 1), makeText($encode), makeText($encode));
        case 9: return Suit::Hearts;
        case 10:
            $custom = new Custom();
            $custom->value = makeValue($encode, $depth + 1);
            return $custom;
        case 11:
        case 12:
            $array = [];
            for ($i = mt_rand(0, 4); $i > 0; $i--) {
                $key = mt_rand(0, 1) === 1 ? $i : makeText($encode);
                $array[$key] = makeValue($encode, $depth + 1);
            }
            return $kind === 11 ? $array : new ArrayObject($array);
        default: return makeText($encode);
    }
}

function makeSession(callable $encode): string
{
    $_SESSION = ['user' => makeValue($encode, 1), 'cart_items' => makeValue($encode, 1)];
    return session_encode();
}

function make(int $seed, callable $encode): string
{
    mt_srand($seed);
    return mt_rand(0, 9) === 0 ? makeSession($encode) : serialize(makeValue($encode, 0));
}

/** Tells whether a value ends where its bytes end: only then, an array can continue after it. */
function isRead(string $bytes): bool
{
    try {
        return unserialize('a:2:{i:0;' . $bytes . 'i:1;N;}') !== false;
    } catch (Throwable) {
        return false;
    }
}

if ($argv[1] === 'read') {
    while (($line = fgets(STDIN)) !== false) echo (int) isRead(base64_decode(trim($line))), "\n";
    exit;
}

ini_set('session.use_cookies', '0');
ini_set('session.serialize_handler', 'php');
ini_set('session.save_handler', 'files');
ini_set('session.save_path', sys_get_temp_dir());
ob_start();
session_start();
for ($i = 0; $i < (int) $argv[3]; $i++) {
    $seed = (int) $argv[2] + $i;
    $before = make($seed, 'toCesu8');
    $after = make($seed, fn ($text) => $text);
    echo base64_encode($before), ' ', base64_encode($after), "\n";
}
session_destroy();
