package dev.hearth.yarncontainer.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.role.OrdersSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * Launch orders of a process in a container of YARN. They come from a file in the working directory, from the environment,
 * and the secret ones from the credentials of the container; later ones override earlier ones. The local directories are
 * those that the NodeManager names, whatever the application says. Stateless.
 */
@Component(service = OrdersSource.class, property = OrdersSource.NAME + "=yarn")
public final class ContainerOrders implements OrdersSource {
    /** File with launch orders that are not secret, in the working directory; optional. */
    static final String FILE = "hearth.orders";
    /** Variable with launch orders that are not secret, in base64. */
    static final String TEXT = "HEARTH_ORDER_TEXT";
    /** Beginning of the aliases of secret keys that are launch orders. */
    static final String SECRET_ORDER = "hearth.order.";

    private static final String CREDENTIALS = "HADOOP_TOKEN_FILE_LOCATION";
    private static final String LOCAL_DIRECTORIES = "LOCAL_DIRS";
    private static final String NODE = "NM_HOST";
    private static final String HOST = "hearth.driver.host";
    private static final int CREDENTIALS_MAX = 64 * 1024 * 1024;

    private final Map<String, String> environment;
    private final Path directory;

    @Activate
    public ContainerOrders() {
        this(System.getenv(), Path.of(""));
    }

    /** Orders in a process with the variables {@code environment} and the working directory {@code directory}. */
    ContainerOrders(Map<String, String> environment, Path directory) {
        this.environment = environment;
        this.directory = directory;
    }

    @Override
    public LaunchOrders read(String role) throws IOException {
        Map<String, String> orders = new LinkedHashMap<>();
        Set<String> marked = new LinkedHashSet<>(); // those that name variables of the container
        Path file = directory.resolve(FILE);
        if (Files.exists(file)) {
            LaunchOrders ofFile = parse(file.toString(), Files.readString(file));
            orders.putAll(ofFile.values());
            marked.addAll(ofFile.environmentKeys());
        }
        Map<String, String> others = new LinkedHashMap<>();
        variable(TEXT).ifPresent(text -> others.putAll(ofVariable(text).values()));
        if (orders.isEmpty() && others.isEmpty()) {
            throw ErrorCode.START_FAILED.failure("launch orders of role " + role + ": neither the file " + FILE
                    + " nor the variable " + TEXT + " (expected: one of them, from the manager that has started the"
                    + " container)");
        }
        others.putAll(secrets());
        variable(LOCAL_DIRECTORIES).ifPresent(directories -> others.put("hearth.local.dir", directories));
        if (role.equals("driver") && !orders.containsKey(HOST)) { // the orders of the others contain their addresses
            variable(NODE).ifPresent(host -> others.putIfAbsent(HOST, host));
        }
        orders.putAll(others);
        marked.removeAll(others.keySet());
        return new LaunchOrders(orders, marked);
    }

    private static LaunchOrders ofVariable(String text) {
        try {
            return parse(TEXT, new String(Base64.getDecoder().decode(text), UTF_8));
        } catch (IllegalArgumentException malformed) {
            throw ErrorCode.START_FAILED.failure(
                    "launch orders in " + TEXT + ": not in base64 (expected: base64)", malformed);
        }
    }

    private static LaunchOrders parse(String name, String text) {
        try {
            return LaunchOrders.read(new BufferedReader(new StringReader(text)));
        } catch (IOException truncated) {
            throw ErrorCode.START_FAILED.failure(
                    "launch orders in " + name
                            + ": no line with a single dot (expected: one as the last line, which shows"
                            + " that the text is whole)",
                    truncated);
        }
    }

    /** The launch orders in the credentials of the container; none if the container has no credentials. */
    private Map<String, String> secrets() throws IOException {
        Map<String, String> orders = new LinkedHashMap<>();
        Optional<String> file = variable(CREDENTIALS);
        if (file.isPresent()) {
            for (Map.Entry<String, Bytes> secret : TokenFile.parse(file.get(), content(Path.of(file.get())))
                    .secrets()
                    .entrySet()) {
                if (secret.getKey().startsWith(SECRET_ORDER)) {
                    orders.put(
                            secret.getKey().substring(SECRET_ORDER.length()),
                            new String(secret.getValue().toArray(), UTF_8));
                }
            }
        }
        return orders;
    }

    private static byte[] content(Path file) throws IOException {
        try {
            long size = Files.size(file);
            if (size > CREDENTIALS_MAX) {
                throw ErrorCode.START_FAILED.failure("credentials of the container, " + file + ": " + size
                        + " bytes (expected: at most " + CREDENTIALS_MAX + ")");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw ErrorCode.START_FAILED.failure(
                    "credentials of the container, " + file + ": missing (expected: the file that " + CREDENTIALS
                            + " names)",
                    missing);
        }
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
