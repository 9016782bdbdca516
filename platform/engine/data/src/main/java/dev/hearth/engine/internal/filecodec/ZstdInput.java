package dev.hearth.engine.internal.filecodec;

import dev.hearth.api.HearthException;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Decodes concatenated zstd frames. Reports corrupt input as an {@link IOException}. Owned by one thread. */
final class ZstdInput extends DecodedInput {
    private final ZstdFrameInput frames;
    private final InputStream in;

    ZstdInput(InputStream in) {
        this.frames = new ZstdFrameInput(in);
        this.in = new ZstdInputStream(frames);
    }

    @Override
    int decode(byte[] bytes, int from, int length) throws IOException {
        try {
            if (frames.isEmpty()) {
                return -1;
            }
            int read = in.read(bytes, from, length);
            while (read == 0) {
                read = in.read(bytes, from, length);
            }
            return read;
        } catch (HearthException ofTheDisk) {
            throw ofTheDisk;
        } catch (RuntimeException damage) {
            // a MalformedInputException, or another exception of the decoder at corrupt input
            throw new IOException(String.valueOf(damage.getMessage()), damage);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
