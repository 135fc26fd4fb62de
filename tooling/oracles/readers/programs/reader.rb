# Ruby's strings as a reader: reader.rb scrub|replace|strict [--lines]. ../README.md has the protocol.
mode = ARGV[0]

def decode(bytes, mode)
  text = bytes.dup.force_encoding('UTF-8')
  case mode
  when 'scrub' then text.scrub
  # By way of UTF-16, since a conversion to the same encoding converts nothing.
  when 'replace' then text.encode('UTF-16LE', invalid: :replace, undef: :replace).encode('UTF-8')
  else text.encode('UTF-16LE').encode('UTF-8')
  end
rescue EncodingError
  nil
end

$stdin.binmode
$stdout.binmode
if ARGV[1] == '--lines'
  $stdout.sync = true
  $stdin.each_line do |line|
    text = decode([line.chomp].pack('H*'), mode)
    puts(text ? text.unpack1('H*') : '-')
  end
else
  text = decode($stdin.read, mode)
  exit 1 unless text
  $stdout.write(text)
end
