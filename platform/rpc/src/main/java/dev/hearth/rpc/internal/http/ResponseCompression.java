package dev.hearth.rpc.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** Decides which responses are compressed, by type, size and Accept-Encoding, and compresses them. Stateless. */
final class ResponseCompression {
    /** Minimum size in bytes of a response that is compressed. Smaller responses fit into one or two packets anyway. */
    static final int BYTES_MIN = 1024;

    /**
     * Maximum size in bytes of a file that is sent compressed. Larger files are sent uncompressed, directly from disk.
     */
    static final int FILE_BYTES_MAX = 1024 * 1024;

    private static final List<String> TYPES = List.of(
            "application/json",
            "application/javascript",
            "application/xml",
            "application/xhtml+xml",
            "application/x-ndjson",
            "image/svg+xml",
            "font/ttf");

    private ResponseCompression() {}

    static boolean suits(String type) {
        String plain = type.toLowerCase(Locale.ROOT);
        int semicolon = plain.indexOf(';');
        String name = semicolon < 0 ? plain : plain.substring(0, semicolon).strip();
        boolean events = name.equals("text/event-stream");
        return (name.startsWith("text/") && !events) || TYPES.contains(name) || name.endsWith("+json");
    }

    /** Whether Accept-Encoding allows gzip. */
    static boolean isAccepted(Optional<String> header) {
        boolean any = false;
        for (String part : header.orElse("").toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] pieces = part.strip().split("\\s*;\\s*", -1);
            boolean refused = pieces.length > 1 && pieces[1].matches("q=0(\\.0{0,3})?");
            if (pieces[0].equals("gzip") || pieces[0].equals("x-gzip")) {
                return !refused;
            }
            any |= pieces[0].equals("*") && !refused;
        }
        return any;
    }

    static ByteBuffer gzip(ByteBuffer content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.remaining() / 4 + BYTES_MIN);
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            Channels.newChannel(out).write(content.duplicate());
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory: cannot be written", impossible);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }
}
