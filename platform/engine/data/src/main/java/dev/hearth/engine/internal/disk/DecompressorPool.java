package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.BlockDecompressor;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CorruptCompressedBlockException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Pool of decompressors, each borrowed to decompress one slice of a file. An application may have thousands of files
 * open, and some decompressors hold 200 KiB, so one per file would need too much memory. Any thread may call.
 */
final class DecompressorPool {
    private static final int POOLED_MAX = 64; // bound per codec; further decompressors are dropped after use

    private final Map<CompressionCodec, Queue<BlockDecompressor>> pool = new EnumMap<>(CompressionCodec.class);

    DecompressorPool() {
        for (CompressionCodec one : CompressionCodec.values()) {
            pool.put(one, new ArrayBlockingQueue<>(POOLED_MAX));
        }
    }

    void decompress(
            CompressionCodec compression, byte[] block, int from, int blockLength, byte[] out, int at, int length)
            throws CorruptCompressedBlockException {
        Queue<BlockDecompressor> queue = pool.getOrDefault(compression, new ArrayBlockingQueue<>(1));
        BlockDecompressor pooled = queue.poll();
        BlockDecompressor decompressor = pooled == null ? compression.decompressor() : pooled;
        decompressor.decompress(block, from, blockLength, out, at, length);
        if (!queue.offer(decompressor)) {
            return; // the pool is full, so the decompressor is dropped
        }
    }
}
