package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.StandardOutput;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The three standard streams of a process; only its entry point takes them from {@link System}. */
public record StandardStreams(InputStream in, PrintStream out, PrintStream err) {
    /** Standard output as Linux shows it; a link to {@code pipe:[...]} if it is a pipe. */
    private static final Path OUTPUT = Path.of("/proc/self/fd/1");

    /** Streams of this process, with a standard output that keeps its first failure. */
    public static StandardStreams keepingFailures(InputStream in, PrintStream err) {
        StandardOutput out = StandardOutput.to(
                new FileOutputStream(FileDescriptor.out), outputCharset(), StandardStreams::isOutputAPipe);
        return new StandardStreams(in, out, err);
    }

    /** Standard input as a stream whose blocked reader can be interrupted, which closes the input. */
    static InputStream interruptibleInput() {
        return Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel());
    }

    /**
     * Flushes standard output and returns the exit status of a process that would otherwise exit with {@code status}.
     * Reports results that could not be written, unless the process has failed anyway.
     */
    public int finish(int status) {
        Optional<HearthException> loss = StandardOutput.loss(out);
        if (status != ExitCode.OK.status()) {
            return status;
        }
        if (loss.isPresent()) {
            return FailureReport.write(loss.get(), err);
        }
        return StandardOutput.isClosedByReader(out) ? ExitCode.OUTPUT_CLOSED.status() : status;
    }

    /** Whether results could not be written; reports that. */
    boolean hasLostResults() {
        return finish(ExitCode.OK.status()) == ExitCode.FAILED.status();
    }

    /** The encoding that the JVM has chosen for standard output: by its terminal, if it has one. */
    private static Charset outputCharset() {
        String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding", ""));
        return name.isEmpty() || !Charset.isSupported(name) ? Charset.defaultCharset() : Charset.forName(name);
    }

    private static boolean isOutputAPipe() {
        try {
            return Files.readSymbolicLink(OUTPUT).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false; // not Linux: the message of the failure decides
        }
    }
}
