package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.answer.PageFormat;
import dev.hearth.spi.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jline.builtins.Less;
import org.jline.builtins.Source;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads lines of the Hearth shell from a terminal, with history and completion. While a line runs, Ctrl-C interrupts
 * the shell's thread, on which it runs. Owned by that thread.
 */
final class TerminalInput implements LineInput, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalInput.class);
    private static final int HISTORY_LINES_MAX = 1_000;

    private final Terminal terminal;
    private final LineReader reader;
    private final String prompt;
    private final StopSignal stopping;

    private TerminalInput(Terminal terminal, LineReader reader, String prompt, StopSignal stopping) {
        this.terminal = terminal;
        this.reader = reader;
        this.prompt = prompt;
        this.stopping = stopping;
    }

    static TerminalInput open(CommandExecutor lines, Optional<ShellTarget> to, boolean colours, StopSignal stopping)
            throws IOException {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        // JLine finds its providers through the context class loader.
        Thread.currentThread().setContextClassLoader(Terminal.class.getClassLoader());
        try {
            Thread owner = Thread.currentThread();
            AtomicReference<Terminal> opened = new AtomicReference<>();
            Terminal terminal = TerminalBuilder.builder()
                    .name("hearth")
                    .system(true)
                    .jansi(false)
                    .jna(false)
                    .ffm(false)
                    .nativeSignals(true)
                    .signalHandler(signal -> {
                        if (signal == Terminal.Signal.INT) {
                            owner.interrupt();
                        } else if (signal == Terminal.Signal.WINCH) {
                            lines.resized(widthOf(opened));
                        }
                    })
                    .build();
            opened.set(terminal);
            LineReaderBuilder builder = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("hearth")
                    .parser(new LineParser())
                    .completer(new CommandCompleter(lines))
                    .variable(LineReader.HISTORY_SIZE, HISTORY_LINES_MAX)
                    .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_LINES_MAX)
                    .variable(LineReader.HISTORY_IGNORE, TypedLines.IGNORED)
                    .variable(LineReader.SECONDARY_PROMPT_PATTERN, "      > ")
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
            history().ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
            String name = "hearth" + to.map(target -> "@" + target).orElse("");
            String prompt = colours
                    ? new AttributedStringBuilder()
                            .styled(AttributedStyle.BOLD.foreground(AttributedStyle.CYAN), name)
                            .append("> ")
                            .toAnsi(terminal)
                    : name + "> ";
            return new TerminalInput(terminal, builder.build(), prompt, stopping);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Override
    public Optional<String> next() {
        while (!stopping.isRequested()) {
            // clears a late interrupt: Ctrl-C was pressed after the command had ended
            boolean late = Thread.interrupted();
            LOG.debug("prompt (late interrupt: {})", late);
            try {
                String line = reader.readLine(prompt);
                if (!TypedLines.isRecall(line)) {
                    return Optional.of(line);
                }
                Optional<String> recalled = new TypedLines(reader.getHistory()).recalled(line);
                println(recalled.orElse("error: '" + line + "': no such line (expected: one that 'history' lists)"));
                if (recalled.isPresent()) {
                    return recalled;
                }
            } catch (UserInterruptException cleared) {
                LOG.debug("line cleared"); // prompt again
            } catch (EndOfFileException ended) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    @Override
    public int width() {
        return widthOf(new AtomicReference<>(terminal));
    }

    /** Returns the lines that the user has typed. */
    TypedLines typed() {
        return new TypedLines(reader.getHistory());
    }

    /** Writes lines that no command has printed. */
    void println(String text) {
        terminal.writer().println(text);
        terminal.flush();
    }

    /** Shows {@code text} page by page, until the user leaves the pager. */
    void page(String text) {
        try {
            InputStream content = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
            new Less(terminal, Path.of("")).run(new Source.InputStreamSource(content, true, "output"));
        } catch (IOException e) {
            throw ErrorCode.COMMAND_FAILED.failure("less: " + e + " (expected: a terminal that can be paged)", e);
        } catch (InterruptedException left) {
            LOG.debug("pager left by an interrupt");
        }
    }

    private static int widthOf(AtomicReference<Terminal> opened) {
        Terminal terminal = opened.get();
        int width = terminal == null ? 0 : terminal.getWidth();
        return width > 0 ? width : PageFormat.WIDTH_DEFAULT;
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }

    /**
     * Returns file attributes that let only the owner access a new file in {@code directory}; empty if the file system
     * does not support such attributes.
     */
    private static FileAttribute<?>[] attributes(Path directory) throws IOException {
        return Files.getFileStore(directory).supportsFileAttributeView(PosixFileAttributeView.class)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Returns the history file, which only its owner can read; empty if the home directory is not writable. */
    private static Optional<Path> history() {
        String home = Objects.requireNonNullElse(System.getenv("HOME"), System.getProperty("user.home"));
        Path directory = Path.of(home, ".hearth");
        try {
            Files.createDirectories(directory);
            Path file = directory.resolve("history");
            if (!Files.exists(file)) {
                Files.createFile(file, attributes(directory));
            }
            return Files.isWritable(file) ? Optional.of(file) : Optional.empty();
        } catch (IOException | SecurityException e) {
            LOG.warn("history: {} (expected: a writable {}); history is not saved", e, directory);
            return Optional.empty();
        }
    }
}
