package dev.hearth.engine.internal.filecodec;

import dev.hearth.engine.internal.compress.BlockDecompressor;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CorruptCompressedBlockException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Decodes the block streams in which Hadoop writes Snappy and LZ4. A block is its decoded length, then chunks until that
 * length is reached, each of them its own length and its bytes. Lengths are big-endian. The format has no checksums.
 * Owned by one thread.
 */
final class HadoopBlockInput extends DecodedInput {
    /** Upper bound on lengths. Writers use buffers of 256 KiB unless they are configured; more means corruption. */
    static final int LENGTH_MAX = 64 << 20;

    private static final byte[] NOTHING = {};

    /** Decoder of the chunks of one codec. */
    interface Chunks {
        /** Room that {@link #decode} needs for a chunk, at most {@code left} decoded bytes. */
        int room(byte[] chunk, int length, int left) throws IOException;

        /** Decodes a chunk to the beginning of {@code text}, and returns the number of decoded bytes. */
        int decode(byte[] chunk, int length, byte[] text, int room) throws IOException;
    }

    /** Chunks of LZ4, which do not state how long they are. */
    static final Chunks LZ4 = new Chunks() {
        @Override
        public int room(byte[] chunk, int length, int left) {
            return left;
        }

        @Override
        public int decode(byte[] chunk, int length, byte[] text, int room) throws IOException {
            return Lz4BlockDecoder.decode(chunk, length, text, 0, 0, room);
        }
    };

    /** Chunks of Snappy, which begin with their decoded length. */
    static final Chunks SNAPPY = new SnappyChunks();

    private final InputStream in;
    private final Chunks codec;
    private byte[] chunk = NOTHING;
    private byte[] text = NOTHING;
    private int left; // bytes of the block that are not decoded yet
    private int position;
    private int limit;
    private boolean ended;

    HadoopBlockInput(InputStream in, Chunks codec) {
        this(in, codec, 0);
    }

    /** {@code left} is the length of the first block if it has been read already, otherwise 0. */
    HadoopBlockInput(InputStream in, Chunks codec, int left) {
        this.in = in;
        this.codec = codec;
        this.left = left;
    }

    @Override
    int decode(byte[] bytes, int from, int length) throws IOException {
        while (position == limit) {
            if (ended || (left == 0 && !nextBlock())) {
                ended = true;
                return -1;
            }
            if (left > 0) {
                nextChunk();
            }
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(text, position, bytes, from, count);
        position += count;
        return count;
    }

    private boolean nextBlock() throws IOException {
        byte[] header = in.readNBytes(Integer.BYTES);
        if (header.length == 0) {
            return false;
        }
        left = length(header);
        return true;
    }

    private void nextChunk() throws IOException {
        int length = length(in.readNBytes(Integer.BYTES));
        if (chunk.length < length + Lz4BlockDecoder.SLACK_BYTES) {
            chunk = new byte[length + Lz4BlockDecoder.SLACK_BYTES];
        }
        if (in.readNBytes(chunk, 0, length) < length) {
            throw new EOFException("the file ends in the middle of a chunk");
        }
        int room = codec.room(chunk, length, left);
        if (room > left) {
            throw new IOException("a chunk is longer than its block");
        }
        if (text.length < room + Lz4BlockDecoder.SLACK_BYTES) {
            text = new byte[room + Lz4BlockDecoder.SLACK_BYTES];
        }
        limit = 0; // set before decoding, so that no byte of a corrupt chunk is returned
        position = 0;
        int decoded = codec.decode(chunk, length, text, room);
        if (decoded == 0) {
            throw new IOException("a chunk without content");
        }
        left -= decoded;
        limit = decoded;
    }

    private static int length(byte[] header) throws IOException {
        if (header.length < Integer.BYTES) {
            throw new EOFException("the file ends in the middle of a length");
        }
        int length = ((header[0] & 0xFF) << 24)
                | ((header[1] & 0xFF) << 16)
                | ((header[2] & 0xFF) << 8)
                | (header[3] & 0xFF);
        if (length < 0 || length > LENGTH_MAX) {
            throw new IOException(
                    "a block of " + Integer.toUnsignedString(length) + " bytes, which is no block of Hadoop's codecs");
        }
        return length;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        position = limit;
        in.close();
    }

    /** Decodes chunks of Snappy. Stateless but for its decompressor, which is created for each chunk. */
    private static final class SnappyChunks implements Chunks {
        private static final int MORE = 0x80;
        private static final int BITS = 7;

        @Override
        public int room(byte[] chunk, int length, int left) throws IOException {
            int stated = 0;
            for (int at = 0, shift = 0; at < length && shift < Integer.SIZE; at++, shift += BITS) {
                stated |= (chunk[at] & (MORE - 1)) << shift;
                if ((chunk[at] & MORE) == 0) {
                    if (stated < 0) {
                        break;
                    }
                    return stated;
                }
            }
            throw new IOException("a chunk without a length");
        }

        @Override
        public int decode(byte[] chunk, int length, byte[] text, int room) throws IOException {
            BlockDecompressor snappy = CompressionCodec.SNAPPY.decompressor();
            try {
                snappy.decompress(chunk, 0, length, text, 0, room);
            } catch (CorruptCompressedBlockException corrupt) {
                throw new IOException(corrupt.getMessage(), corrupt);
            }
            return room;
        }
    }
}
