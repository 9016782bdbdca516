package dev.hearth.engine.internal.filecodec;

/** Constants of the LZ4 frame format, which {@link Lz4Output} and {@link Lz4Input} share. */
final class Lz4Frame {
    static final int MAGIC = 0x184D2204;
    static final int SKIPPABLE = 0x184D2A50; // skippable frames have this magic number or one of the next 15
    static final int SKIPPABLE_MASK = 0xFFFFFFF0;
    static final int VERSION = 0x40;
    static final int VERSION_MASK = 0xC0;
    static final int INDEPENDENT = 0x20;
    static final int BLOCK_CHECKED = 0x10;
    static final int SIZED = 0x08;
    static final int CONTENT_CHECKED = 0x04;
    static final int RESERVED = 0x02;
    static final int DICTIONARY = 0x01;
    static final int STORED = 0x80000000;

    private Lz4Frame() {}

    /**
     * The maximum size of a block in bytes, for a size code of the frame header: from 64 KiB for code 4 to 4 MiB for
     * code 7.
     */
    static int blockBytes(int code) {
        return 1 << (8 + 2 * code);
    }

    /**
     * Returns the checksum byte of a frame header. It covers the header's descriptor, which is {@code length} bytes at
     * index {@code from}.
     */
    static byte check(byte[] bytes, int from, int length) {
        return (byte) (XxHash32.of(bytes, from, length) >>> 8);
    }
}
