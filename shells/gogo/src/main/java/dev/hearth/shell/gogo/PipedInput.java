package dev.hearth.shell.gogo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.IntSupplier;

/**
 * Reads lines of the Hearth shell from a pipe or a file. A separate thread reads ahead up to a limit, because a
 * blocking read cannot be interrupted. That thread ends with the input or the process.
 */
final class PipedInput implements LineInput {
    private static final int LINES_AHEAD_MAX = 64;

    private final BlockingQueue<Next> ahead = new ArrayBlockingQueue<>(LINES_AHEAD_MAX);
    private final IntSupplier width;

    PipedInput(InputStream in, IntSupplier width) {
        this.width = width;
        Thread reader = new Thread(() -> read(in), "hearth-shell-input");
        reader.setDaemon(true);
        reader.start();
    }

    @Override
    public Optional<String> next() throws IOException, InterruptedException {
        Next next = ahead.take();
        if (next.failure().isPresent()) {
            throw next.failure().get();
        }
        return next.line();
    }

    @Override
    public int width() {
        return width.getAsInt();
    }

    private void read(InputStream in) {
        try {
            try {
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    ahead.put(new Next(Optional.of(line), Optional.empty()));
                }
                ahead.put(new Next(Optional.empty(), Optional.empty()));
            } catch (IOException failure) {
                ahead.put(new Next(Optional.empty(), Optional.of(failure)));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt(); // the process stops
        }
    }

    private record Next(Optional<String> line, Optional<IOException> failure) {}
}
