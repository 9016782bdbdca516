package dev.hearth.engine.internal.filecodec;

import dev.hearth.spi.error.ErrorCode;
import io.airlift.compress.bzip2.BZip2HadoopStreams;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Compression codec of a file, which is recognised by the suffix of the file's name. An empty file decodes to no bytes,
 * whatever its suffix.
 */
public enum FileCodec {
    NONE("", "uncompressed bytes") {
        @Override
        public InputStream decode(InputStream in) {
            return in;
        }

        @Override
        public OutputStream encode(OutputStream out) {
            return out;
        }
    },
    GZIP(".gz", "complete gzip data") {
        @Override
        public InputStream decode(InputStream in) throws IOException {
            return InflatedInput.gzip(in);
        }

        @Override
        public OutputStream encode(OutputStream out) throws IOException {
            return new GZIPOutputStream(out, BUFFER_BYTES);
        }
    },
    ZSTD(".zst", "complete zstd frames") {
        @Override
        public InputStream decode(InputStream in) {
            return new ZstdInput(in);
        }

        @Override
        public OutputStream encode(OutputStream out) throws IOException {
            return new ZstdOutputStream(out);
        }
    },
    LZ4(".lz4", "complete LZ4 frames, or blocks of Hadoop") {
        @Override
        public InputStream decode(InputStream in) {
            return new Lz4Input(in);
        }

        @Override
        public OutputStream encode(OutputStream out) throws IOException {
            return new Lz4Output(out);
        }
    },
    BZIP2(".bz2", "complete bzip2 streams") {
        @Override
        public InputStream decode(InputStream in) {
            return new Bzip2Input(in);
        }

        @Override
        public OutputStream encode(OutputStream out) throws IOException {
            return new BZip2HadoopStreams().createOutputStream(out);
        }
    },
    DEFLATE(".deflate", "one complete zlib stream") {
        @Override
        public InputStream decode(InputStream in) throws IOException {
            return InflatedInput.zlib(in);
        }

        @Override
        public OutputStream encode(OutputStream out) {
            return new DeflaterOutputStream(out, new Deflater(), BUFFER_BYTES) {
                @Override
                public void close() throws IOException {
                    try {
                        super.close();
                    } finally {
                        // release the deflater here, because the stream does not end a deflater that it did not create
                        def.end();
                    }
                }
            };
        }
    },
    SNAPPY(".snappy", "complete blocks of Hadoop's Snappy") {
        @Override
        public InputStream decode(InputStream in) {
            return new HadoopBlockInput(in, HadoopBlockInput.SNAPPY);
        }

        @Override
        public OutputStream encode(OutputStream out) {
            return new SnappyOutput(out);
        }
    };

    private static final int BUFFER_BYTES = 64 * 1024;

    private final String suffix;
    private final String content;

    FileCodec(String suffix, String content) {
        this.suffix = suffix;
        this.content = content;
    }

    /** The codec for a file, chosen by the suffix of {@code path}. Returns {@code NONE} if no suffix matches. */
    public static FileCodec of(String path) {
        for (FileCodec codec : values()) {
            if (codec != NONE && path.endsWith(codec.suffix)) {
                return codec;
            }
        }
        return NONE;
    }

    /**
     * The codec for a name or suffix that an application states, for example {@code gzip}, {@code gz} or {@code .gz}.
     */
    public static FileCodec named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (FileCodec codec : values()) {
            if (wanted.equals(codec.name().toLowerCase(Locale.ROOT))
                    || (codec != NONE && (wanted.equals(codec.suffix) || wanted.equals(codec.suffix.substring(1))))) {
                return codec;
            }
        }
        throw ErrorCode.BAD_ARGUMENT.failure("codec '" + name + "': unknown (expected: one of "
                + Arrays.stream(values())
                        .map(codec -> codec.name().toLowerCase(Locale.ROOT))
                        .toList() + ")");
    }

    /** The suffix that output files get with this codec, with its dot; empty for {@code NONE}. */
    public String suffix() {
        return suffix;
    }

    /** Describes the content that a file compressed by this codec must have, for error messages. */
    public String content() {
        return content;
    }

    /**
     * Decodes {@code in}. Corrupt or truncated input fails with an {@link IOException} that says what is wrong. Closing
     * the returned stream closes {@code in}.
     */
    public abstract InputStream decode(InputStream in) throws IOException;

    /**
     * Returns a stream that compresses into {@code out}. Closing it writes the remaining bytes and closes {@code out}.
     */
    public abstract OutputStream encode(OutputStream out) throws IOException;
}
