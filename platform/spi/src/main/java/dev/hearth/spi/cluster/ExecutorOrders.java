package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import dev.hearth.spi.stream.ContentDirectories;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Launch orders, which are key-value pairs passed to a new process, for the role {@code executor}. The cluster manager
 * writes them, and the executor process reads them.
 * <p>{@code host} is the machine, by which locality and excluded hosts go. {@code address} is the host name or IP address
 * that the executor binds its port to and that its peers connect to. Both are the same unless several executors with
 * addresses of their own share a machine, as pods do.
 */
public record ExecutorOrders(ExecutorId executor, String host, int cores, EndpointUri driver, String address) {
    private static final String ROLE = "executor";
    private static final String ID = "hearth.executor.id";
    private static final String HOST = "hearth.executor.host";
    private static final String ADDRESS = "hearth.executor.address";
    /** Name of the order for the cores of the executor. */
    public static final String CORES = "hearth.executor.ownCores";

    private static final String DRIVER = "hearth.executor.driver";
    private static final String CONTENTS = "hearth.executor.contents";
    /** Names of the settings that an executor reads before it has connected to its driver. */
    private static final Set<String> READ_TO_CONNECT = Stream.concat(
                    RpcSettings.KEYS.stream().map(SettingKey::name),
                    Stream.of(
                            RpcTimes.NETWORK_TIMEOUT.name(),
                            RpcSettings.PORT_RETRIES.name(),
                            "hearth.blockManager.port",
                            ShuffleServiceOrders.KEY,
                            MachineSettings.LOCAL_DIRECTORIES))
            .collect(Collectors.toUnmodifiableSet());

    /** Launch orders of an executor whose address is that of its host. */
    public ExecutorOrders(ExecutorId executor, String host, int cores, EndpointUri driver) {
        this(executor, host, cores, driver, host);
    }

    /**
     * The part of {@code settings}, those of executors, that belongs into their orders: addresses, encryption, the secret
     * of the application, and the addresses of resources that the cluster manager has chosen. A connected executor gets the others from its driver, so that a cluster need not store
     * them.
     */
    public static Map<String, String> settingsToConnect(Map<String, String> settings) {
        Map<String, String> needed = new LinkedHashMap<>(settings);
        needed.keySet().removeIf(key -> !READ_TO_CONNECT.contains(key) && !ResourceRequest.isChosenForExecutor(key));
        return needed;
    }

    /**
     * These orders as key-value pairs, to be passed to the executor process together with the {@link
     * #settingsToConnect}.
     */
    public Map<String, String> asMap() {
        Map<String, String> orders = new LinkedHashMap<>();
        orders.put(ID, executor.value());
        orders.put(HOST, host);
        orders.put(CORES, String.valueOf(cores));
        orders.put(DRIVER, driver.toString());
        orders.put(ADDRESS, address);
        return orders;
    }

    /**
     * Specification of the child process that becomes this executor: with these orders, those {@code settings} of its
     * application that it needs to connect, the {@link LaunchOptions} that these settings name, and a heap of {@code memoryMebibytes} MiB. Fails
     * with {@code BAD_SETTING}.
     */
    public ChildSpec child(
            ApplicationId application, Map<String, String> settings, int memoryMebibytes, Path directory) {
        LaunchOptions options = LaunchOptions.ofExecutors(Settings.empty().with("the application", settings))
                .of(application, executor);
        Map<String, String> all = settingsToConnect(settings);
        all.putAll(asMap());
        return new ChildSpec(ROLE, ChildSpec.heap(memoryMebibytes), all, directory).with(options);
    }

    /**
     * Reads the launch orders of this executor process from {@code orders}; fails with {@code BAD_ARGUMENT} if one is
     * missing or malformed.
     */
    public static ExecutorOrders from(Map<String, String> orders) {
        String cores = order(orders, CORES);
        String driver = order(orders, DRIVER);
        if (!cores.matches("[1-9]\\d{0,5}")) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "start parameter of the executor, " + CORES + ": '" + cores + "' (expected: a whole number)");
        }
        String host = order(orders, HOST);
        return new ExecutorOrders(
                new ExecutorId(order(orders, ID)),
                host,
                Integer.parseInt(cores),
                EndpointUri.parse(driver)
                        .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure("start parameter of the executor,"
                                + " " + DRIVER + ": '" + driver
                                + "' (expected: hearth://endpoint@host:port)")),
                orders.getOrDefault(ADDRESS, "").isBlank() ? host : order(orders, ADDRESS));
    }

    /**
     * The launch orders {@code orders} with {@code directories}, in which the executor looks for the jars of bundles and
     * of the application before it fetches them from the driver ({@link ContentDirectories}).
     */
    public static Map<String, String> withContents(Map<String, String> orders, List<Path> directories) {
        Map<String, String> changed = new LinkedHashMap<>(orders);
        changed.put(CONTENTS, ContentDirectories.order(directories));
        return changed;
    }

    /** Directories that {@code orders} name, in which the executor looks for contents. */
    public static List<Path> contents(Map<String, String> orders) {
        return ContentDirectories.ofOrder(CONTENTS, orders.getOrDefault(CONTENTS, ""));
    }

    private static String order(Map<String, String> orders, String key) {
        String value = orders.get(key);
        if (value == null || value.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure("start parameter of the executor, " + key
                    + ": missing (expected: a value from the cluster manager, or from the file of --orders)");
        }
        return value;
    }
}
