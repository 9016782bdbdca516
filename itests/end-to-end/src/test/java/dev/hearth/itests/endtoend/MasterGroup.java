package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Masters of the distribution on this machine that keep one log: one master with a log in files, or several that share a log in
 * ZooKeeper. Each keeps its port and its directory when it is killed and started again. Closing ends all.
 */
final class MasterGroup implements AutoCloseable {
    /** Settings of a single master. */
    static final List<String> IN_FILES = List.of("--conf", "hearth.deploy.recoveryMode=FILESYSTEM");

    static final Duration BOUND = Duration.ofSeconds(90);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(2);

    private final Installation installation;
    private final IntFunction<List<String>> settings;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Launched> masters = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    private MasterGroup(Installation installation, IntFunction<List<String>> settings) {
        this.installation = installation;
        this.settings = settings;
    }

    /** Starts {@code members} masters, each with its own {@code settings}, and waits until they are ready. */
    static MasterGroup start(Installation installation, int members, IntFunction<List<String>> settings)
            throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            ports.add(FreePort.draw());
        }
        return start(installation, ports, settings);
    }

    /** As {@link #start(Installation, int, IntFunction)}, at these ports. */
    static MasterGroup start(Installation installation, List<Integer> ports, IntFunction<List<String>> settings)
            throws IOException {
        MasterGroup group = new MasterGroup(installation, settings);
        boolean whole = false;
        try {
            group.ports.addAll(ports);
            for (int i = 0; i < ports.size(); i++) {
                group.masters.add(group.launch(i));
            }
            whole = true;
            return group;
        } finally {
            if (!whole) {
                group.close();
            }
        }
    }

    /** Settings of masters whose ZooKeeper listens at {@code port} of this machine. */
    static List<String> inZooKeeper(int port) {
        return List.of(
                "--conf",
                "spark.deploy.recoveryMode=ZOOKEEPER",
                "--conf",
                "spark.deploy.zookeeper.url=127.0.0.1:" + port,
                "--conf",
                "hearth.deploy.zookeeper.sessionTimeout=6s");
    }

    private Launched launch(int number) throws IOException {
        List<String> own = List.of(
                "master",
                "--port",
                String.valueOf(ports.get(number)),
                "--conf",
                "hearth.master.dir=" + installation.scratch().resolve("master-" + number));
        return installation
                .daemon(Stream.concat(own.stream(), settings.apply(number).stream())
                        .toArray(String[]::new))
                .process();
    }

    int size() {
        return masters.size();
    }

    int port(int number) {
        return ports.get(number);
    }

    Launched process(int number) {
        return masters.get(number);
    }

    /** The master URL with the addresses of all. */
    String url() {
        return url(ports);
    }

    /** A master URL with these ports of this machine. */
    static String url(List<Integer> ports) {
        return "hearth://" + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    /** Starts a worker with {@code cores} cores, its own work directory and further {@code options}, for the masters at {@code url}. */
    Launched worker(String url, String name, int cores, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "worker",
                "--cores",
                String.valueOf(cores),
                "--memory",
                "16g",
                "--work-dir",
                installation.scratch().resolve(name).toString()));
        arguments.addAll(List.of(options));
        arguments.add(url);
        return installation.daemon(arguments.toArray(String[]::new)).process();
    }

    /** Starts a killed or ended master again, and waits until it is ready. */
    void restart(int number) throws IOException {
        masters.set(number, launch(number));
    }

    /** What a master says at {@code path}; {@code away} if it does not answer. */
    String page(int number, String path) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(number) + path))
                                    .timeout(ANSWERS_WITHIN)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException away) {
            return "away";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "away";
        }
    }

    String status(int number) {
        return page(number, "/json/status");
    }

    Optional<Integer> leader() {
        for (int i = 0; i < size(); i++) {
            if (status(i).contains("ALIVE")) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    /** Waits until a master leads. */
    int awaitLeader() {
        Eventually.until(
                "a leader",
                () -> leader().isPresent(),
                BOUND,
                () -> masters.get(0).errors());
        return leader().orElseThrow();
    }

    /** Waits until another master than {@code former} leads. */
    void awaitLeaderBut(int former) {
        Eventually.until(
                "another leader",
                () -> leader().filter(next -> next != former).isPresent(),
                BOUND,
                () -> masters.get((former + 1) % size()).errors());
    }

    /** Waits until the master {@code number} stands by. */
    void awaitStandby(int number) {
        Eventually.until(
                "a standby",
                () -> status(number).contains("STANDBY"),
                BOUND,
                () -> masters.get(number).errors());
    }

    @Override
    public void close() {
        masters.forEach(Launched::close);
    }
}
