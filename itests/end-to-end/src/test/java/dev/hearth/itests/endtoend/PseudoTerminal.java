package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Screen;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jline.nativ.JLineNativeLoader;
import org.jline.terminal.Size;
import org.jline.terminal.impl.jni.JniNativePty;
import org.jline.terminal.impl.jni.JniTerminalProvider;

/**
 * A process at a pseudo terminal of its own, which is its controlling terminal: Ctrl-C and changes of the size reach it
 * as signals. The test types and waits for what the screen shows. JLine, which the shell ships, opens the terminal, so
 * that no tools of the system but env and setsid are needed; Linux only. Owned by the test's thread; a thread of its own reads.
 */
final class PseudoTerminal implements AutoCloseable {
    static final String CONTROL_C = "\003";
    static final String CONTROL_D = "\004";
    static final String UP = "\u001bOA";

    private static final int WAIT_SECONDS_MAX = 180;
    /** The first open of a terminal by a session leader without one makes it the controlling terminal. */
    private static final String TAKE_TERMINAL = "exec 0<>\"$0\" 1>&0 2>&0; exec \"$@\"";

    private final JniNativePty pty;
    private final Process process;
    private final Screen screen;
    private final Thread reader;
    private final StringBuilder output = new StringBuilder(); // guarded by itself
    private int typedAt; // length of the output at the last key press; guarded by output
    private boolean ended; // guarded by output

    private PseudoTerminal(JniNativePty pty, Process process, Screen screen) {
        this.pty = pty;
        this.process = process;
        this.screen = screen;
        this.reader = new Thread(this::read, "pseudo terminal");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts {@code command} in {@code directory} at a terminal of that size, with further variables of its
     * environment.
     */
    static PseudoTerminal start(
            int rows, int columns, Path directory, Map<String, String> environment, List<String> command)
            throws IOException {
        JLineNativeLoader.initialize();
        JniNativePty pty = (JniNativePty) new JniTerminalProvider().open(null, new Size(columns, rows));
        List<String> whole = new ArrayList<>(Launched.WITH_SIGNALS);
        whole.addAll(List.of("setsid", "sh", "-c", TAKE_TERMINAL, pty.getName()));
        whole.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(whole).directory(directory.toFile());
        builder.environment().put("HEARTH_CDS", SharedClasses.setting());
        builder.environment().put("TERM", "xterm");
        builder.environment().remove("NO_COLOR");
        builder.environment().remove("COLUMNS");
        builder.environment().putAll(environment);
        return new PseudoTerminal(pty, builder.start(), new Screen(rows, columns));
    }

    /** Presses {@code keys}; afterwards {@link #awaitOutput} looks only at newer output. */
    void type(String keys) throws IOException {
        synchronized (output) {
            typedAt = output.length();
        }
        OutputStream keyboard = pty.getMasterOutput();
        keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    /** Changes the size of the terminal, of which the process is notified by SIGWINCH. */
    void resize(int rows, int columns) throws IOException {
        screen.resize(rows, columns);
        pty.setSize(new Size(columns, rows));
    }

    Screen screen() {
        return screen;
    }

    /** Returns all output so far, with its escape sequences. */
    String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    /** Waits until the screen shows {@code text}. */
    void awaitScreen(String text) throws InterruptedException {
        await("the screen shows '" + text + "'", () -> screen.text().contains(text));
    }

    /** Waits until the cursor stands after {@code text}, at the start of a line, for example after a prompt. */
    void awaitCursorAfter(String text) throws InterruptedException {
        await(
                "the cursor stands after '" + text + "'",
                () -> screen.beforeCursor().equals(text));
    }

    /** Waits until the output since the last key press contains {@code text}, escape sequences included. */
    void awaitOutput(String text) throws InterruptedException {
        await("output with '" + text + "'", () -> output.indexOf(text, typedAt) >= 0);
    }

    /** Waits until {@code condition} holds, which is looked at after each piece of output. */
    void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(WAIT_SECONDS_MAX).toNanos();
        synchronized (output) {
            while (!condition.getAsBoolean()) {
                long millis = (end - System.nanoTime()) / 1_000_000;
                if (ended || millis <= 0) {
                    throw new AssertionError((ended ? "the process ended" : "waited for " + WAIT_SECONDS_MAX + " s")
                            + " (expected: " + what + "); the screen:\n" + screen.text());
                }
                output.wait(millis);
            }
        }
    }

    /** Waits for the process to end, shows the rest of its output, and returns its exit status. */
    int status() throws IOException, InterruptedException {
        if (!process.waitFor(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("the process still runs; the screen:\n" + screen.text());
        }
        hangUp();
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().orTimeout(WAIT_SECONDS_MAX, TimeUnit.SECONDS).join();
        try {
            hangUp();
        } catch (InterruptedException wanted) {
            Thread.currentThread().interrupt();
        }
        pty.close();
    }

    /** Ends the reader after all output: the terminal reports its end once the last of its files is closed. */
    private void hangUp() throws IOException, InterruptedException {
        pty.getSlaveOutput().close();
        reader.join(TimeUnit.SECONDS.toMillis(WAIT_SECONDS_MAX));
    }

    private void read() {
        try (InputStream in = pty.getMasterInput()) {
            byte[] bytes = new byte[8192];
            int kept = 0; // bytes of a character whose rest is still to come
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes, kept, bytes.length - kept)) {
                int length = kept + count;
                int whole = wholeCharacters(bytes, length);
                show(new String(bytes, 0, whole, StandardCharsets.UTF_8));
                kept = length - whole;
                System.arraycopy(bytes, whole, bytes, 0, kept);
            }
        } catch (IOException hungUp) {
            // how Linux reports the end of a terminal
        } finally {
            synchronized (output) {
                ended = true;
                output.notifyAll();
            }
        }
    }

    private void show(String text) {
        synchronized (output) {
            output.append(text);
            screen.write(text);
            output.notifyAll();
        }
    }

    /** Returns the number of bytes that precede an incomplete character at the end. */
    private static int wholeCharacters(byte[] bytes, int length) {
        for (int back = 1; back <= Math.min(3, length); back++) {
            int one = bytes[length - back] & 0xff;
            if (one >= 0xc0) {
                int size = one >= 0xf0 ? 4 : one >= 0xe0 ? 3 : 2;
                return size > back ? length - back : length;
            }
            if (one < 0x80) {
                return length;
            }
        }
        return length;
    }
}
