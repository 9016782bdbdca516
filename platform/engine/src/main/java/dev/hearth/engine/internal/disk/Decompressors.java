package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.BlockDecompressor;
import dev.hearth.engine.internal.compress.Compression;
import dev.hearth.engine.internal.compress.DamagedBlock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/** Decompressors lent for one chunk at a time: thousands of files may be open, and some hold 200 KiB each. Any thread may call. */
final class Decompressors {
    private static final int KEPT_MAX = 64; // per compression; more at once are made and dropped

    private final Map<Compression, Queue<BlockDecompressor>> kept = new EnumMap<>(Compression.class);

    Decompressors() {
        for (Compression one : Compression.values()) {
            kept.put(one, new ArrayBlockingQueue<>(KEPT_MAX));
        }
    }

    void decompress(Compression compression, byte[] block, int from, int blockLength, byte[] out, int at, int length)
            throws DamagedBlock {
        Queue<BlockDecompressor> queue = kept.getOrDefault(compression, new ArrayBlockingQueue<>(1));
        BlockDecompressor lent = queue.poll();
        BlockDecompressor mine = lent == null ? compression.decompressor() : lent;
        mine.decompress(block, from, blockLength, out, at, length);
        if (!queue.offer(mine)) {
            return; // enough are kept
        }
    }
}
