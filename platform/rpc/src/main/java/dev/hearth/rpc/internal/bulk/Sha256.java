package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digest that names content. Stateless. */
final class Sha256 {
    private static final int READ_BYTES = 256 * 1024;

    private Sha256() {}

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) { // every Java has it
            throw new IllegalStateException(impossible);
        }
    }

    static ContentId id(MessageDigest digest) {
        return new ContentId(HexFormat.of().formatHex(digest.digest()));
    }

    static ContentId of(Path file) throws IOException {
        MessageDigest digest = digest();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            read(channel, digest);
        }
        return id(digest);
    }

    /** Adds all that is left of a file. */
    static void read(FileChannel file, MessageDigest digest) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        while (file.read(buffer.clear()) >= 0) {
            digest.update(buffer.flip());
        }
    }
}
