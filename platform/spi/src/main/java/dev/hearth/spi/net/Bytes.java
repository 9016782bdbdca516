package dev.hearth.spi.net;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;

/** Bytes that do not change, compared by content. */
public final class Bytes {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** Takes over {@code content}: the caller must not write to it any more. */
    public static Bytes owning(byte[] content) {
        return content.length == 0 ? EMPTY : new Bytes(content);
    }

    public int size() {
        return content.length;
    }

    /** A stream over the content, without copying it. */
    public InputStream stream() {
        return new ByteArrayInputStream(content);
    }

    public byte[] toArray() {
        return content.clone();
    }

    /** Hands the content to a reader that promises not to write to it, such as an encoder or a digest. */
    public <E extends Exception> void read(Reader<E> reader) throws E {
        reader.read(content);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return content.length + " bytes";
    }

    /** Reads, and never writes, an array that is not its own. */
    @FunctionalInterface
    public interface Reader<E extends Exception> {
        void read(byte[] content) throws E;
    }
}
