package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A simulated user at a pseudo terminal: types, and reads the screen until it shows the expected text. Bounded by the
 * test's time limit.
 */
final class Typist implements AutoCloseable {
    private static final int WAIT_SECONDS_MAX = 60;
    private static final int LIFE_SECONDS_MAX = 90;

    private final Process process;
    private final InputStream screen;
    private final OutputStream keyboard;
    private final StringBuilder shown = new StringBuilder();

    private Typist(Process process) {
        this.process = process;
        this.screen = process.getInputStream();
        this.keyboard = process.getOutputStream();
    }

    /** Starts a command of the system's shell at a terminal of 40 by 100, for a user whose home is {@code home}. */
    static Typist at(Path home, List<String> command) throws IOException {
        String line = "stty rows 40 cols 100; exec '" + String.join("' '", command) + "'";
        ProcessBuilder builder = new ProcessBuilder("script", "-qfec", line, "/dev/null").redirectErrorStream(true);
        builder.environment().put("HEARTH_CDS", "off"); // the first start would write archives of classes
        builder.environment().put("TERM", "xterm");
        builder.environment().put("SHELL", "/bin/bash");
        builder.environment().put("HOME", home.toString());
        Process process = builder.start();
        // if the screen stays blank, reading ends when the process ends
        Thread watch = new Thread(() -> endLate(process), "typist's patience");
        watch.setDaemon(true);
        watch.start();
        return new Typist(process);
    }

    private static void endLate(Process process) {
        try {
            if (!process.waitFor(LIFE_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void type(String keys) throws IOException {
        shown.setLength(0);
        keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    /** Reads until the screen has shown {@code text} since the last key press. */
    void await(String text) throws IOException {
        byte[] read = new byte[4096];
        while (shown.indexOf(text) < 0) {
            int count = screen.read(read);
            if (count < 0) {
                throw new AssertionError("the screen never showed '" + text + "':\n" + shown);
            }
            shown.append(new String(read, 0, count, StandardCharsets.UTF_8));
        }
    }

    /** Waits for the process to end and returns its exit status. */
    int status() throws IOException, InterruptedException {
        screen.transferTo(OutputStream.nullOutputStream());
        if (!process.waitFor(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("the shell still runs:\n" + shown);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(WAIT_SECONDS_MAX, TimeUnit.SECONDS).join();
    }
}
