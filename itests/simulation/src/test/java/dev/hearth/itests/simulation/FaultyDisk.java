package dev.hearth.itests.simulation;

import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.disk.DiskInput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The disk of a simulated executor: real files, of which some are lost or damaged. At times one of its directories is
 * full.
 */
final class FaultyDisk implements Disk {
    private final Disk real = Disk.system();
    private final Set<Path> files = new LinkedHashSet<>(); // existing files, in the order of their creation
    private Optional<Path> full = Optional.empty();

    /** Makes all writes below {@code place} fail as on a full disk, from now on. */
    void fill(Path place) {
        full = Optional.of(place);
    }

    /** Ends {@link #fill}. */
    void empty() {
        full = Optional.empty();
    }

    /** Removes one of the files and returns it; empty if there is none. */
    Optional<String> lose(RandomGenerator random) {
        return any(random, (file, bytes) -> Files.deleteIfExists(file));
    }

    /** Flips a bit of one of the files and returns the file; empty if there is none. */
    Optional<String> damage(RandomGenerator random) {
        return any(random, (file, bytes) -> {
            if (bytes == 0) {
                return;
            }
            try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                long place = random.nextLong(bytes);
                open.seek(place);
                int one = open.read();
                open.seek(place);
                open.write(one ^ 1 << random.nextInt(Byte.SIZE));
            }
        });
    }

    private Optional<String> any(RandomGenerator random, Harm harm) {
        List<Path> there = files.stream().filter(Files::isRegularFile).toList();
        if (there.isEmpty()) {
            return Optional.empty();
        }
        int number = random.nextInt(there.size());
        try {
            harm.on(there.get(number), Files.size(there.get(number)));
        } catch (IOException failure) {
            throw new UncheckedIOException(there + ": cannot be harmed", failure);
        }
        return Optional.of("file " + (number + 1) + " of " + there.size());
    }

    private interface Harm {
        void on(Path file, long bytes) throws IOException;
    }

    private void refuse(Path file) throws IOException {
        if (full.isPresent() && file.startsWith(full.get())) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public OutputStream create(Path file) throws IOException {
        refuse(file);
        OutputStream out = real.create(file);
        files.add(file);
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                refuse(file);
                out.write(one);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                refuse(file);
                out.write(bytes, from, length);
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }

    @Override
    public DiskInput open(Path file) throws IOException {
        return real.open(file);
    }

    @Override
    public void delete(Path file) throws IOException {
        files.remove(file);
        real.delete(file);
    }
}
