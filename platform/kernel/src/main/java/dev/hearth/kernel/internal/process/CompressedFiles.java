package dev.hearth.kernel.internal.process;

import dev.hearth.spi.net.Bytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Compressed output files. Keeps a few of them open where they were read last, so that reading one part after the other
 * decompresses each file once. Thread-safe.
 */
final class CompressedFiles {
    /** Maximum number of files that stay open between two reads. */
    private static final int OPEN_MAX = 4;

    private static final int BUFFER_BYTES = 64 * 1024;

    private final Map<Place, InputStream> open = new LinkedHashMap<>(); // guarded by this; oldest first

    /** Number of bytes before which an open file is read next. */
    private record Place(Path file, long offset) {}

    /** Returns at most {@code bytesMax} bytes that follow the first {@code offset} bytes of the content. */
    Bytes read(Path file, long offset, int bytesMax) throws IOException {
        InputStream in = take(new Place(file, offset));
        try {
            byte[] bytes = in.readNBytes(bytesMax);
            if (bytes.length < bytesMax) {
                in.close();
            } else {
                keep(new Place(file, offset + bytes.length), in);
            }
            return Bytes.owning(bytes);
        } catch (IOException | RuntimeException failure) {
            in.close();
            throw failure;
        }
    }

    /** Returns the number of bytes of the content. Reads the whole file. */
    long size(Path file) throws IOException {
        try (InputStream in = open(file)) {
            return in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private InputStream take(Place place) throws IOException {
        synchronized (this) {
            InputStream kept = open.remove(place);
            if (kept != null) {
                return kept;
            }
        }
        InputStream in = open(place.file);
        try {
            in.skipNBytes(place.offset);
            return in;
        } catch (EOFException shorter) {
            return in; // nothing follows
        } catch (IOException failure) {
            in.close();
            throw failure;
        }
    }

    private void keep(Place place, InputStream in) throws IOException {
        List<InputStream> closing = new ArrayList<>();
        synchronized (this) {
            InputStream other = open.put(place, in);
            if (other != null) {
                closing.add(other);
            }
            if (open.size() > OPEN_MAX) {
                Place oldest = open.keySet().iterator().next();
                closing.add(open.remove(oldest));
            }
        }
        for (InputStream stream : closing) {
            stream.close();
        }
    }

    private static InputStream open(Path file) throws IOException {
        return new GZIPInputStream(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), BUFFER_BYTES);
    }
}
