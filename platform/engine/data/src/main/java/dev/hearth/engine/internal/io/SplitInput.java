package dev.hearth.engine.internal.io;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Input of the bytes of a file, from an offset to the end of the file. The codec of the file's suffix decompresses
 * them. Owned by one thread; closes itself at the end and on failure. If configured, a missing or corrupt file does not
 * fail: its input ends early, with one warning.
 */
final class SplitInput implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SplitInput.class);

    private final String path;
    private final FileCodec codec;
    private final String content;
    private final FileSettings settings;
    private final long lengthLeast;
    private @Nullable RawFileInput file;
    private @Nullable InputStream in;
    private long readBefore; // number of bytes that had been read when the file was closed

    /**
     * Opens the file to which the split {@code part} belongs: at offset {@code from}, or at the start of the file if it
     * is compressed.
     */
    SplitInput(FileSplit part, long from, InputAccess access) {
        this(part, from, FileCodec.of(part.path()), access);
    }

    SplitInput(FileSplit part, long from, FileCodec codec, InputAccess access) {
        this(part, from, codec, codec.content(), access);
    }

    SplitInput(FileSplit part, long from, FileCodec codec, String content, InputAccess access) {
        this.content = content;
        this.path = part.path();
        this.codec = codec;
        this.settings = access.settings();
        this.lengthLeast = part.until();
        try {
            RawFileInput opened = new RawFileInput(FileName.parse(path), codec == FileCodec.NONE ? from : 0, access);
            this.file = opened;
            this.in = codec.decode(opened);
        } catch (IOException damage) {
            damaged(damage);
        } catch (RuntimeException failure) {
            close();
            if (!settings.ignoreMissing() || access.exists(FileName.parse(path))) {
                throw failure;
            }
            LOG.warn("file {}: missing; it counts as empty because hearth.files.ignoreMissingFiles is set", path);
        }
    }

    private SplitInput(FileSplit part) {
        this.path = part.path();
        this.codec = FileCodec.NONE;
        this.content = codec.content();
        this.settings = FileSettings.DEFAULTS;
        this.lengthLeast = 0;
    }

    /** Creates an input without bytes, for a split whose file is missing when the settings ignore missing files. */
    static SplitInput none(FileSplit part) {
        return new SplitInput(part);
    }

    /**
     * Reads at most {@code length} bytes into {@code bytes} from index {@code from} on. Returns the number of bytes
     * read, or -1 at the end of the input.
     */
    int read(byte[] bytes, int from, int length) {
        InputStream open = in;
        if (open == null) {
            return -1;
        }
        try {
            int read = open.read(bytes, from, length);
            if (read < 0) {
                ended();
            }
            return read;
        } catch (IOException damage) {
            return damaged(damage);
        } catch (HearthException failure) {
            if (settings.ignoreCorrupt() && failure.code().equals(ErrorCode.DISK_FAILED.name())) {
                return skip(failure);
            }
            close();
            throw failure;
        } catch (Throwable failure) {
            close();
            throw failure;
        }
    }

    private void ended() throws IOException {
        RawFileInput open = file;
        if (codec == FileCodec.NONE && open != null && open.position() < lengthLeast) {
            throw new IOException("the file ends before byte " + lengthLeast);
        }
        close();
    }

    /**
     * Ends the input because its data is corrupt, as {@code damage} states. Fails, or logs a warning and returns -1 if
     * the settings ignore corrupt files.
     */
    int damaged(Exception damage) {
        long position = file == null ? 0 : file.position();
        HearthException failure = ErrorCode.FILE_DAMAGED.failure(
                Failures.expecting(
                                "file " + path + ": corrupt at or before byte " + position + ", " + damage.getMessage(),
                                content)
                        + "; replace the file, or set hearth.files.ignoreCorruptFiles=true to read what precedes it",
                damage);
        if (settings.ignoreCorrupt()) {
            return skip(failure);
        }
        close();
        throw failure;
    }

    private int skip(HearthException failure) {
        LOG.warn(
                "{}; the rest of the file is skipped because hearth.files.ignoreCorruptFiles is" + " set",
                failure.getMessage());
        close();
        return -1;
    }

    /** Number of bytes read from the file, before decompression. */
    long bytesRead() {
        RawFileInput open = file;
        return open == null ? readBefore : open.bytesRead();
    }

    @Override
    public void close() {
        readBefore = bytesRead();
        RawFileInput open = file;
        InputStream decoded = in;
        file = null;
        in = null;
        try {
            if (decoded != null) {
                decoded.close();
            }
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "file " + path + ": cannot be closed, " + failure.getMessage(), failure);
        } finally {
            if (open != null) {
                open.close();
            }
        }
    }
}
