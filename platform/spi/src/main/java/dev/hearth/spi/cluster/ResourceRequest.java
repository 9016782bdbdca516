package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Request for a number of addresses of one kind of resource, such as GPUs, for each executor or for the driver. {@code
 * discoveryScript} is a program on the machine of the process that writes the addresses, and {@code vendor} names the
 * resource's vendor on Kubernetes; both may be empty. Immutable.
 */
public record ResourceRequest(String name, int amount, String discoveryScript, String vendor) {
    private static final Pattern MEMBER =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,62})\\.(amount|discoveryScript|vendor)");
    private static final Pattern AMOUNT = Pattern.compile("\\d{1,6}");
    private static final String PLUG_IN = "org.apache.spark.resource.ResourceDiscoveryScriptPlugin";
    private static final String MEMBERS =
            "NAME.amount with a whole number, NAME.discoveryScript with a path, or NAME.vendor with a name; NAME has"
                    + " letters, digits, _ and -";

    private static final SettingKey<String> OF_EXECUTOR = SettingKey.family(
            "hearth.executor.resource.*",
            "Resources of each executor: `NAME.amount`, the number of addresses of the resource NAME, such as `gpu`;"
                    + " `NAME.discoveryScript`, a program on the executor's machine that writes them as"
                    + " `{\"name\":\"gpu\",\"addresses\":[\"0\",\"1\"]}`; `NAME.vendor`, for Kubernetes.",
            MEMBERS,
            ResourceRequest::isMember);
    private static final SettingKey<String> OF_DRIVER = SettingKey.family(
            "hearth.driver.resource.*",
            "Resources of the driver, as those of executors in `hearth.executor.resource.*`.",
            MEMBERS,
            ResourceRequest::isMember);
    private static final SettingKey<String> DISCOVERY_PLUG_IN = SettingKey.text(
                    "hearth.resources.discoveryPlugin",
                    PLUG_IN,
                    "Spark's setting for classes that find resources, in place of which Hearth has discovery scripts.")
            .obeying(
                    PLUG_IN + ", for Hearth finds resources by hearth.executor.resource.NAME.discoveryScript alone",
                    PLUG_IN::equals);

    public static final List<SettingKey<?>> KEYS = List.of(OF_EXECUTOR, OF_DRIVER, DISCOVERY_PLUG_IN);

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

    /** Reads a family of settings whose members are {@code NAME.amount} and the like. */
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
                                members.getOrDefault(name + ".discoveryScript", ""),
                                members.getOrDefault(name + ".vendor", "")));
            }
        }
        return Collections.unmodifiableMap(requests);
    }

    /** Whether a member of a family of resources has a valid name and value. */
    public static boolean isMember(String member, String value) {
        Matcher matcher = MEMBER.matcher(member);
        return matcher.matches()
                && (matcher.group(2).equals("amount")
                        ? AMOUNT.matcher(value).matches()
                        : !value.isBlank() && value.indexOf('\0') < 0);
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
