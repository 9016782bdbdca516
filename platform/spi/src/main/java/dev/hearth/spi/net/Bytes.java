package dev.hearth.spi.net;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;

/** Immutable bytes, compared by content. */
public final class Bytes {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /**
     * Creates bytes with the content of the array {@code content}, which is not copied; the caller must not modify it
     * afterwards.
     */
    public static Bytes owning(byte[] content) {
        return content.length == 0 ? EMPTY : new Bytes(content);
    }

    public int size() {
        return content.length;
    }

    /** Input stream over these bytes, without a copy. */
    public InputStream stream() {
        return new ByteArrayInputStream(content);
    }

    public byte[] toArray() {
        return content.clone();
    }

    /**
     * Passes the array with these bytes, without a copy, to {@code reader}, which must not modify the array. A reader
     * is, for example, an encoder or a digest.
     */
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

    /** Reader of the bytes in {@code content}, an array that it must not modify. */
    @FunctionalInterface
    public interface Reader<E extends Exception> {
        void read(byte[] content) throws E;
    }
}
