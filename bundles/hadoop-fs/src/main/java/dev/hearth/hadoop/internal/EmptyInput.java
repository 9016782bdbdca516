package dev.hearth.hadoop.internal;

import dev.hearth.spi.storage.StoreInput;

/** Input from an offset beyond the end of a file. */
final class EmptyInput extends StoreInput {
    private final long position;

    EmptyInput(long position) {
        this.position = position;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
        return length == 0 ? 0 : -1;
    }
}
