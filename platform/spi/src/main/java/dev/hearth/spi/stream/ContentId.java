package dev.hearth.spi.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Content hash, which identifies a content: the SHA-256 of its bytes in hexadecimal. */
public record ContentId(String sha256) {
    private static final int READ_BYTES = 256 * 1024;
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    public ContentId {
        if (!FORM.matcher(sha256).matches()) {
            throw new IllegalArgumentException("content id: '" + sha256 + "' (expected: 64 hexadecimal digits)");
        }
    }

    /** Content id of a file: the hash of its current content, which this method reads. */
    public static ContentId of(Path file) throws IOException {
        MessageDigest digest = digest();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            read(channel, digest);
        }
        return of(digest);
    }

    /**
     * Hash of the bytes that {@code digest} has received. {@code digest} must come from {@link #digest}, and is reset.
     */
    public static ContentId of(MessageDigest digest) {
        return new ContentId(HexFormat.of().formatHex(digest.digest()));
    }

    /** Reads {@code file} from its current position to its end into {@code digest}. */
    public static void read(FileChannel file, MessageDigest digest) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        while (file.read(buffer.clear()) >= 0) {
            digest.update(buffer.flip());
        }
    }

    /** New SHA-256 digest. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("SHA-256: missing (expected: in every Java)", impossible);
        }
    }

    @Override
    public String toString() {
        return sha256;
    }
}
