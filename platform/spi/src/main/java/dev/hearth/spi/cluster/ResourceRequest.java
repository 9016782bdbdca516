package dev.hearth.spi.cluster;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Request for a number of addresses of one kind of resource, such as GPUs, for each executor, for the driver, or for all
 * processes of a worker. {@code addresses} are given ones; without them {@code discoveryScript}, a program on the machine
 * of the process, finds some. {@code vendor} names the resource's vendor on Kubernetes. All three may be empty.
 * Immutable.
 */
public record ResourceRequest(String name, int amount, List<String> addresses, String discoveryScript, String vendor) {
    private static final Pattern MEMBER =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,62})\\.(amount|addresses|discoveryScript|vendor)");
    private static final Pattern AMOUNT = Pattern.compile("\\d{1,6}");
    private static final String PLUG_IN = "org.apache.spark.resource.ResourceDiscoveryScriptPlugin";
    private static final String MEMBERS =
            "NAME.amount with a whole number, NAME.discoveryScript with a path, NAME.addresses with a list, or NAME.vendor"
                    + " with a name; NAME has letters, digits, _ and -";

    private static final String ADDRESSES = ".addresses";
    private static final String EXECUTOR_FAMILY = "hearth.executor.resource.*";
    private static final String DRIVER_FAMILY = "hearth.driver.resource.*";
    private static final SettingKey<String> OF_EXECUTOR = family(
            EXECUTOR_FAMILY,
            "Resources of each executor: `NAME.amount`, the number of addresses of the resource NAME, such as `gpu`;"
                    + " `NAME.discoveryScript`, a program on the executor's machine that writes them as"
                    + " `{\"name\":\"gpu\",\"addresses\":[\"0\",\"1\"]}`; `NAME.addresses`, a list to use instead of a script;"
                    + " `NAME.vendor`, for Kubernetes. A standalone master chooses the addresses itself.");
    private static final SettingKey<String> OF_DRIVER =
            family(DRIVER_FAMILY, "Resources of the driver, as those of executors in `" + EXECUTOR_FAMILY + "`.");
    private static final SettingKey<String> DISCOVERY_PLUG_IN = SettingKey.text(
                    "hearth.resources.discoveryPlugin",
                    PLUG_IN,
                    "Spark's setting for classes that find resources, in place of which Hearth has discovery scripts.")
            .obeying(
                    PLUG_IN + ", for Hearth finds resources by hearth.executor.resource.NAME.discoveryScript alone",
                    PLUG_IN::equals);

    public static final List<SettingKey<?>> KEYS = List.of(OF_EXECUTOR, OF_DRIVER, DISCOVERY_PLUG_IN);

    public ResourceRequest {
        addresses = List.copyOf(addresses);
    }

    /** Resources of each executor by name, in the order of names; {@code in} records the problems. */
    public static Map<String, ResourceRequest> ofExecutors(SettingsReader in) {
        in.read(DISCOVERY_PLUG_IN); // refused here
        return read(in, OF_EXECUTOR);
    }

    /** Resources of the driver by name, in the order of names; {@code in} records the problems. */
    public static Map<String, ResourceRequest> ofDriver(SettingsReader in) {
        in.read(DISCOVERY_PLUG_IN);
        return read(in, OF_DRIVER);
    }

    /** Family of settings whose members are {@code NAME.amount} and the like, for {@link #read}. */
    public static SettingKey<String> family(String name, String description) {
        return SettingKey.family(name, description, MEMBERS, ResourceRequest::isMember);
    }

    /** Reads such a family, in the order of names. */
    public static Map<String, ResourceRequest> read(SettingsReader in, SettingKey<String> family) {
        Map<String, String> members = in.readAll(family);
        Map<String, ResourceRequest> requests = new TreeMap<>();
        for (String member : members.keySet()) {
            Matcher matcher = MEMBER.matcher(member);
            if (!matcher.matches()) {
                throw new IllegalStateException("setting " + family + ": member " + member + " was read");
            }
            String name = matcher.group(1);
            int amount = Integer.parseInt(members.getOrDefault(name + ".amount", "0"));
            if (amount > 0) {
                requests.put(
                        name,
                        new ResourceRequest(
                                name,
                                amount,
                                addresses(members.getOrDefault(name + ADDRESSES, "")),
                                members.getOrDefault(name + ".discoveryScript", ""),
                                members.getOrDefault(name + ".vendor", "")));
            }
        }
        return Collections.unmodifiableMap(requests);
    }

    /** The addresses that the setting {@code NAME.addresses} lists, separated by commas. */
    static List<String> addresses(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::trim)
                .filter(address -> !address.isEmpty())
                .toList();
    }

    private static boolean isMember(String member, String value) {
        Matcher matcher = MEMBER.matcher(member);
        return matcher.matches()
                && (matcher.group(2).equals("amount")
                        ? AMOUNT.matcher(value).matches()
                        : !value.isBlank() && value.indexOf('\0') < 0);
    }

    /** The numbers of addresses that {@code requests} ask for, by resource. */
    public static Map<String, Integer> amounts(Map<String, ResourceRequest> requests) {
        Map<String, Integer> amounts = new TreeMap<>();
        requests.forEach((name, request) -> amounts.put(name, request.amount()));
        return amounts;
    }

    /**
     * Settings with the addresses that a cluster manager has chosen for an executor. In the orders of the executor they
     * rank above the settings of the application.
     */
    public static Map<String, String> chosenForExecutor(Map<String, ResourceInformation> resources) {
        return chosen(EXECUTOR_FAMILY, resources);
    }

    /** Settings with the addresses that a cluster manager has chosen for a driver. */
    public static Map<String, String> chosenForDriver(Map<String, ResourceInformation> resources) {
        return chosen(DRIVER_FAMILY, resources);
    }

    private static Map<String, String> chosen(String family, Map<String, ResourceInformation> resources) {
        Map<String, String> settings = new TreeMap<>();
        resources.forEach((name, resource) ->
                settings.put(prefix(family) + name + ADDRESSES, String.join(",", resource.addresses())));
        return settings;
    }

    static boolean isChosenForExecutor(String key) {
        return key.startsWith(prefix(EXECUTOR_FAMILY)) && key.endsWith(ADDRESSES);
    }

    /** Reads back what {@link #chosenForExecutor} has written into {@code orders}. */
    public static Map<String, ResourceInformation> chosenIn(Settings orders) {
        Map<String, ResourceInformation> resources = new TreeMap<>();
        for (String key : orders.keys()) {
            if (isChosenForExecutor(key)) {
                String name = key.substring(prefix(EXECUTOR_FAMILY).length(), key.length() - ADDRESSES.length());
                resources.put(
                        name,
                        new ResourceInformation(name, addresses(orders.find(key).orElse(""))));
            }
        }
        return resources;
    }

    private static String prefix(String family) {
        return family.substring(0, family.length() - 1);
    }

    /**
     * The first {@link #amount} of the addresses {@code found}. Fails with {@code RESOURCE_MISSING} if there are fewer;
     * {@code owner} is the process in the message.
     */
    public List<String> choose(String owner, List<String> found) {
        if (found.size() < amount) {
            throw ErrorCode.RESOURCE_MISSING.failure(owner + ": " + found.size() + " addresses of resource " + name
                    + " " + found + " (expected: at least " + amount
                    + "); lower the amount, or use machines that have more");
        }
        return List.copyOf(found.subList(0, amount));
    }
}
