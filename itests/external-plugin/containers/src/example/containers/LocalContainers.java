package example.containers;

import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.role.LaunchOrders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Containers of this machine, in its temporary directory. Their processes run the Java of this process. */
final class LocalContainers implements ContainerRuntime {
    private static final String PREFIX = "containers-";

    private final ProcessLauncher processes;
    private final Path home;
    private final Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    LocalContainers(ProcessLauncher processes, Path home) {
        this.processes = processes;
        this.home = home;
    }

    @Override
    public CompletionStage<String> create(String purpose) {
        return waiting(() -> Files.createTempDirectory(parent, PREFIX + purpose + "-")
                .getFileName()
                .toString());
    }

    @Override
    public Path directory(String name) {
        return parent.resolve(name);
    }

    @Override
    public CompletionStage<Container> start(ChildSpec spec, Map<String, Path> files) {
        return waiting(() -> {
            Path directory = Files.createDirectories(spec.directory());
            for (Map.Entry<String, Path> file : files.entrySet()) {
                Files.copy(file.getValue(), directory.resolve(file.getKey()));
            }
            Path orders = Files.createFile(
                    directory.resolve("orders"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(orders, LaunchOrders.of(spec.orders()).text());
            return new LocalContainer(directory, builder(spec, orders).start());
        });
    }

    @Override
    public CompletionStage<Map<String, String>> running(String purpose) {
        return waiting(() -> {
            Map<String, String> running = new TreeMap<>();
            try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + purpose + "-*")) {
                for (Path directory : found) {
                    if (LocalContainer.process(directory).isPresent()) {
                        running.put(directory.getFileName().toString(), ContainerNote.in(directory));
                    }
                }
            }
            return running;
        });
    }

    @Override
    public CompletionStage<Boolean> stop(String name) {
        return waiting(() -> LocalContainer.stop(directory(name)));
    }

    @Override
    public CompletionStage<Void> remove(String name) {
        Path directory = directory(name);
        return waiting(() -> endAll(directory))
                .thenCompose(ending -> CompletableFuture.allOf(ending.toArray(new CompletableFuture<?>[0])))
                .thenCompose(ended -> waiting(() -> {
                    for (Path file : inside(directory)) {
                        Files.delete(file);
                    }
                    return null;
                }));
    }

    /** Asks all processes below a directory to end; returns their ends. */
    private static List<CompletableFuture<ProcessHandle>> endAll(Path directory) throws IOException {
        List<CompletableFuture<ProcessHandle>> ending = new ArrayList<>();
        for (Path each : inside(directory)) {
            Optional<ProcessHandle> process = LocalContainer.process(each);
            process.ifPresent(ProcessHandle::destroy);
            process.map(ProcessHandle::onExit).ifPresent(ending::add);
        }
        return ending;
    }

    /** The files below a directory and itself, each directory after its files. */
    private static List<Path> inside(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.sorted(Comparator.reverseOrder()).toList();
        }
    }

    private ProcessBuilder builder(ChildSpec spec, Path orders) {
        List<String> java = new ArrayList<>(spec.options().javaOptions());
        java.addAll(spec.jvmOptions());
        java.add("-Dhearth.orders=" + orders);
        java.add("-Djava.io.tmpdir=" + spec.directory());
        List<String> command = new ArrayList<>(processes.command(spec.role(), java, home.toString()));
        command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(spec.directory().toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(spec.directory().resolve("stdout").toFile())
                .redirectError(spec.directory().resolve("stderr").toFile());
        builder.environment().putAll(spec.options().environment());
        String libraries = spec.options().libraryPath();
        if (!libraries.isEmpty()) {
            builder.environment().merge("LD_LIBRARY_PATH", libraries, (others, own) -> own + ":" + others);
        }
        return builder;
    }

    /** Call that waits for the disk. */
    @FunctionalInterface
    private interface Waiting<T> {
        T call() throws IOException;
    }

    private static <T> CompletableFuture<T> waiting(Waiting<T> call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return call.call();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }
}
