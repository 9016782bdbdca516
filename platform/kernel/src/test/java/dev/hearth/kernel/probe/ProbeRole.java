package dev.hearth.kernel.probe;

import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Role that performs the action of its first argument or of its order {@code do}. */
final class ProbeRole implements RoleMain {
    private final BundleContext context;
    private final CompletableFuture<Void> told = new CompletableFuture<>();

    ProbeRole(BundleContext context) {
        this.context = context;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        List<String> arguments = launch.arguments();
        String work = launch.orders().getOrDefault("do", arguments.isEmpty() ? "echo" : arguments.get(0));
        switch (work) {
            case "echo" -> echo(launch);
            case "status" -> {
                return new ExitStatus(Integer.parseInt(arguments.get(1)));
            }
            case "refuse" -> throw ErrorCode.CLUSTER_UNREACHABLE.failure("master: gone (expected: there)");
            case "break" -> throw new IllegalStateException("broken on purpose");
            case "wait" -> waitUntilTold(launch);
            case "stubborn" -> {
                launch.out().println("waiting");
                new CountDownLatch(1).await();
            }
            case "deaf" -> { // like an application that ignores interrupts
                Runtime.getRuntime().addShutdownHook(new Thread(() -> new CompletableFuture<Void>().join(), "deaf"));
                waitUntilTold(launch);
            }
            case "exit" -> System.exit(Integer.parseInt(arguments.get(1)));
            case "read" -> launch.out().println("read " + System.in.readAllBytes().length);
            case "manager" ->
                service(ClusterManagers.class)
                        .pin(MasterUrl.parse(arguments.get(1)), "probe")
                        .close();
            case "load" -> load(launch);
            case "application" ->
                new ProbeApplication(service(ApplicationLoaders.class), launch)
                        .run(Path.of(arguments.get(1)), arguments.get(2), arguments.subList(3, arguments.size()));
            case "lent" ->
                new ProbeApplication(service(ApplicationLoaders.class), launch)
                        .lent(Path.of(arguments.get(1)), arguments.get(2));
            case "log" -> log(launch);
            case "spawn" -> spawn(launch);
            default -> throw ErrorCode.BAD_ARGUMENT.failure("probe: " + work);
        }
        return new ExitStatus(0);
    }

    private static void echo(RoleLaunch launch) {
        launch.out().println("arguments " + launch.arguments());
        launch.out().println("orders " + launch.orders());
        launch.out().println("settings " + launch.settings().values());
        launch.out().println("home " + launch.home());
    }

    /** Logs, changes the level, and logs again. */
    private void log(RoleLaunch launch) {
        Logger logger = LoggerFactory.getLogger("dev.hearth.probe");
        Logs logs = service(Logs.class);
        logger.debug("hidden");
        logger.warn("seen {}", "one");
        logs.setLevel("dev.hearth.probe", "debug");
        logger.debug("seen two");
        logs.setLevel("dev.hearth.probe", "");
        logger.debug("hidden");
        launch.out().println("levels " + logs.levels());
    }

    private void waitUntilTold(RoleLaunch launch) throws Exception {
        launch.out().println("waiting");
        if (launch.orders().containsKey("port")) { // the test waits for a connection
            InetAddress here = InetAddress.getLoopbackAddress();
            new Socket(here, Integer.parseInt(launch.orders().get("port"))).close();
        }
        told.get();
        launch.out().println("told");
    }

    private void load(RoleLaunch launch) throws Exception {
        Path jar = Path.of(launch.arguments().get(1));
        try (ApplicationLoader loader = service(ApplicationLoaders.class).open("probe", List.of(jar))) {
            for (String name : launch.arguments().subList(2, launch.arguments().size())) {
                Class<?> loaded = Class.forName(name, false, loader.classes());
                launch.out().println(name + " same " + (loaded == Class.forName(name)));
            }
        }
    }

    private void spawn(RoleLaunch launch) throws Exception {
        Path directory = Path.of(launch.arguments().get(1));
        Map<String, String> orders =
                new TreeMap<>(Map.of("do", launch.arguments().get(2), "text", "a=b\nümlaut"));
        if (launch.arguments().size() > 3) {
            orders.put("port", launch.arguments().get(3));
        }
        ChildProcess child = service(ProcessLauncher.class)
                .start(new ChildSpec("child", List.of("-Dprobe=child"), orders, directory));
        launch.out().println("child " + child.pid());
        CompletableFuture<Integer> exit = child.exit().toCompletableFuture();
        CompletableFuture.anyOf(exit, told).get(60, TimeUnit.SECONDS);
        if (exit.isDone()) { // otherwise this process is stopping, and its kernel stops the child
            String output = child.outputTail(1000).strip();
            launch.out().println("child exited " + exit.get() + ": " + output);
        }
    }

    private <T> T service(Class<T> type) {
        return context.getService(context.getServiceReference(type));
    }

    @Override
    public void stop() {
        System.err.println("role stopped");
        told.complete(null);
    }
}
