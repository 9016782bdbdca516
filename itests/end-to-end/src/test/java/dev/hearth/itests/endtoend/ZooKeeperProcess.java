package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A server of ZooKeeper as a process of this machine. Its data outlive it, so that it can be started again. */
final class ZooKeeperProcess implements AutoCloseable {
    /** Property that names the directory of its jars; profile {@code crash} sets it. */
    static final String JARS = "hearth.zookeeper.jars";

    private static final Duration BOUND = Duration.ofSeconds(90);

    private final Path directory;
    private final int port;
    private Launched process;

    private ZooKeeperProcess(Path directory, int port) throws IOException {
        this.directory = directory;
        this.port = port;
        this.process = launch();
    }

    /** Starts a server with its data in {@code directory}, and waits until it listens. */
    static ZooKeeperProcess in(Path directory) throws IOException {
        return new ZooKeeperProcess(directory, FreePort.draw());
    }

    private Launched launch() throws IOException {
        Path data = Files.createDirectories(directory.resolve("zookeeper"));
        Launched started = Launched.start(
                directory,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-Dzookeeper.admin.enableServer=false",
                        "-cp",
                        System.getProperty(JARS) + "/*",
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        String.valueOf(port),
                        data.toString()));
        Eventually.until("a server", this::listens, BOUND, started::output);
        return started;
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
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
