package example.containers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/** Process of a container, which other processes find by the file {@code process} in its directory. */
final class LocalContainer implements ContainerRuntime.Container {
    private static final String PROCESS = "process";
    private static final String STOPPED = "stopped";

    private final Path directory;
    private final Process process;

    LocalContainer(Path directory, Process process) throws IOException {
        this.directory = directory;
        this.process = process;
        Files.writeString(directory.resolve(PROCESS), identity(process.toHandle()));
    }

    /** The process in {@code directory}; empty if none runs. */
    static Optional<ProcessHandle> process(Path directory) throws IOException {
        Path file = directory.resolve(PROCESS);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        String identity = Files.readString(file);
        return ProcessHandle.of(Long.parseLong(identity.substring(0, identity.indexOf(' '))))
                .filter(running -> identity(running).equals(identity));
    }

    /** Asks the process in {@code directory} to end; false if none runs. */
    static boolean stop(Path directory) throws IOException {
        Optional<ProcessHandle> running = process(directory);
        if (running.isPresent()) {
            Files.writeString(directory.resolve(STOPPED), "");
        }
        return running.filter(ProcessHandle::destroy).isPresent();
    }

    @Override
    public String name() {
        return directory.getFileName().toString();
    }

    @Override
    public CompletionStage<ContainerRuntime.End> ended() {
        return process.onExit().thenApply(ended -> end(ended.exitValue()));
    }

    @Override
    public void release() {
        process.destroy();
    }

    private ContainerRuntime.End end(int status) {
        try {
            ChildExit exit =
                    new ChildExit(OptionalInt.of(status), "exit status " + status, tail("stdout"), tail("stderr"));
            return new ContainerRuntime.End(
                    exit, Files.exists(directory.resolve(STOPPED)), ContainerNote.in(directory));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String tail(String file) throws IOException {
        try (SeekableByteChannel bytes = Files.newByteChannel(directory.resolve(file))) {
            bytes.position(Math.max(0, bytes.size() - ChildProcess.TAIL_BYTES_MAX));
            return new String(Channels.newInputStream(bytes).readAllBytes(), UTF_8);
        }
    }

    /** Number and start of a process. Another process may get the same number later. */
    private static String identity(ProcessHandle process) {
        Instant start = process.info().startInstant().orElse(Instant.EPOCH);
        return process.pid() + " " + start.toEpochMilli();
    }
}
