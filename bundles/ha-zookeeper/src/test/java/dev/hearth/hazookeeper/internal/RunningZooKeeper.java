package dev.hearth.hazookeeper.internal;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server of ZooKeeper in a process of its own, on loopback, with its data in a directory. */
final class RunningZooKeeper implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Path directory;
    private final int port;
    private @Nullable Process process;

    RunningZooKeeper(Path directory) throws IOException {
        this.directory = directory;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
        Files.writeString(
                directory.resolve("zoo.cfg"),
                "tickTime=2000\nclientPort=" + port
                        + "\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\ndataDir="
                        + directory.resolve("data") + "\n");
        start();
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    void start() throws IOException {
        Process started = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        directory.resolve("zoo.cfg").toString()))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("server.log").toFile())
                .start();
        process = started;
        Eventually.until("a server that listens", this::listens, START, () -> "exit of " + started.info());
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Ends the server as kill -9 does. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
