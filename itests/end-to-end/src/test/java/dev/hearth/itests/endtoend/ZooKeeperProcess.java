package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** A server of ZooKeeper as a process of this machine. Its data outlive it, so that it can be started again. */
final class ZooKeeperProcess implements AutoCloseable {
    /** Property that names the directory of its jars; profile {@code crash} sets it. */
    static final String JARS = "hearth.zookeeper.jars";

    /** The same property for profile {@code net}. */
    static final String JARS_OF_NET = "hearth.net.zookeeper.jars";

    private static final String LISTENS = "binding to port "; // in its log
    private static final Duration BOUND = Duration.ofSeconds(90);

    private final Path directory;
    private final int port;
    private final UnaryOperator<List<String>> place;
    private Launched process;

    private ZooKeeperProcess(Path directory, int port, UnaryOperator<List<String>> place) throws IOException {
        this.directory = directory;
        this.port = port;
        this.place = place;
        this.process = launch();
    }

    /** Starts a server with its data in {@code directory}, and waits until it listens. */
    static ZooKeeperProcess in(Path directory) throws IOException {
        return new ZooKeeperProcess(directory, FreePort.draw(), UnaryOperator.identity());
    }

    /** Starts a server by the command that {@code place} makes of its own, as in another network namespace. */
    static ZooKeeperProcess in(Path directory, UnaryOperator<List<String>> place) throws IOException {
        return new ZooKeeperProcess(directory, FreePort.draw(), place);
    }

    private Launched launch() throws IOException {
        Path data = Files.createDirectories(directory.resolve("zookeeper"));
        Launched started = Launched.start(
                directory,
                place.apply(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-Dzookeeper.admin.enableServer=false",
                        "-cp",
                        System.getProperty(JARS, System.getProperty(JARS_OF_NET)) + "/*",
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        String.valueOf(port),
                        data.toString())));
        Eventually.until("a server", () -> started.output().contains(LISTENS), BOUND, started::output);
        return started;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /** Kills the server as kill -9 does. */
    void kill() {
        process.kill();
    }

    /** Starts the server again after it was killed. */
    void restart() throws IOException {
        process = launch();
    }

    @Override
    public void close() {
        process.close();
    }
}
