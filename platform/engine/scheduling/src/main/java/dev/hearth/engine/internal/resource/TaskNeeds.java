package dev.hearth.engine.internal.resource;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Needs of each task of an application: cores, and amounts of resources such as GPUs. An amount of at least 1 is a
 * number of whole addresses; a smaller one is the fraction of an address that the task shares with others. Read from
 * {@code hearth.task.cpus} and {@code hearth.task.resource.NAME.amount}. Immutable.
 */
public record TaskNeeds(int cpus, Map<String, Double> amounts) {
    /** Needs of one core and nothing else. */
    public static final TaskNeeds ONE_CORE = new TaskNeeds(1, Map.of());

    private static final Pattern MEMBER = Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,62})\\.amount");
    private static final Pattern AMOUNT = Pattern.compile("\\d{1,6}(\\.\\d{1,9})?|\\.\\d{1,9}");
    private static final int AMOUNT_DIGITS = 9;
    /** Tolerance of divisions, so that ten tasks of 0.1 share one address. */
    private static final double TOLERANCE = 1e-9;

    private static final SettingKey<Integer> CPUS = SettingKey.integer(
            "hearth.task.cpus",
            1,
            1,
            Integer.MAX_VALUE,
            "Cores of each task. An executor runs as many tasks at a time as its cores allow.");
    private static final SettingKey<String> RESOURCES = SettingKey.family(
            "hearth.task.resource.*",
            "Resources of each task: `NAME.amount`, the number of addresses of the resource NAME, such as `gpu`, that"
                    + " each task has for itself. With a fraction such as 0.25, four tasks share an address.",
            "NAME.amount, with a whole number or a fraction up to 1",
            TaskNeeds::isMember);

    public static final List<SettingKey<?>> KEYS = List.of(CPUS, RESOURCES);

    public TaskNeeds {
        amounts = Collections.unmodifiableMap(new LinkedHashMap<>(amounts));
    }

    /**
     * Reads the needs and checks that an executor of {@code profile} can hold at least one task; {@code in} records the
     * problems. {@code fixed} executors get their cores from a local master and not from the profile.
     */
    public static TaskNeeds read(SettingsReader in, ExecutorProfile profile, boolean fixed) {
        TaskNeeds needs = read(in);
        int cores = fixed ? needs.cpus : profile.cores().orElse(needs.cpus);
        in.expect(needs.cpus <= cores, CPUS, "at most " + cores + ", the cores of an executor");
        needs.amounts.forEach((name, amount) -> {
            ResourceRequest has = profile.resources().get(name);
            int addresses = has == null ? 0 : has.amount();
            in.expectMember(
                    amount <= addresses,
                    RESOURCES,
                    name + ".amount",
                    "at most " + addresses + ", for hearth.executor.resource." + name + ".amount is "
                            + (has == null ? "not set" : addresses));
        });
        return needs;
    }

    /** Reads the needs without comparing them with executors; {@code in} records the problems. */
    public static TaskNeeds read(SettingsReader in) {
        int cpus = in.read(CPUS);
        Map<String, Double> amounts = new TreeMap<>();
        in.readAll(RESOURCES).forEach((member, text) -> {
            double amount = Double.parseDouble(text);
            if (amount > 0) {
                amounts.put(member.substring(0, member.lastIndexOf('.')), amount);
            }
        });
        return new TaskNeeds(cpus, amounts);
    }

    /** Number of tasks that an executor with {@code cores} cores runs at a time, by its cores alone. */
    public int slots(int cores) {
        return cores / cpus;
    }

    /** Number of tasks that an executor runs at a time, by its cores and by its numbers of addresses. */
    public int slots(int cores, Map<String, Integer> addresses) {
        int slots = slots(cores);
        for (Map.Entry<String, Double> need : amounts.entrySet()) {
            int has = addresses.getOrDefault(need.getKey(), 0);
            slots = (int) Math.min(slots, (long) has * shares(need.getValue()) / whole(need.getValue()));
        }
        return slots;
    }

    /** Number of tasks that an executor with these resources runs at a time. */
    public int slotsOf(int cores, Map<String, ResourceInformation> resources) {
        if (amounts.isEmpty()) {
            return slots(cores);
        }
        Map<String, Integer> addresses = new LinkedHashMap<>();
        resources.forEach(
                (name, resource) -> addresses.put(name, resource.addresses().size()));
        return slots(cores, addresses);
    }

    /** Number of tasks that an executor of {@code profile} runs at a time, if it gets {@code cores} cores. */
    public int slots(int cores, ExecutorProfile profile) {
        Map<String, Integer> addresses = new LinkedHashMap<>();
        profile.resources().forEach((name, request) -> addresses.put(name, request.amount()));
        return slots(cores, addresses);
    }

    /** Settings that say why an executor cannot hold a task, for messages. */
    public String describe() {
        List<String> parts = new ArrayList<>(List.of(Quantity.of(cpus, "core") + " (" + CPUS + ")"));
        amounts.forEach((name, amount) -> parts.add(amount + " of " + name));
        return String.join(", ", parts);
    }

    /** An amount as the settings spell it, with at most nine decimals, and never more than {@code amount}. */
    static String text(double amount) {
        return new BigDecimal(amount)
                .setScale(AMOUNT_DIGITS, amount < 1 ? RoundingMode.DOWN : RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** Number of tasks that share one address, if each needs {@code amount}. */
    static int shares(double amount) {
        return amount >= 1 ? 1 : (int) Math.floor(1 / amount + TOLERANCE);
    }

    /** Number of addresses of which a task that needs {@code amount} has a share. */
    static int whole(double amount) {
        return amount >= 1 ? (int) amount : 1;
    }

    private static boolean isMember(String member, String value) {
        Matcher matcher = MEMBER.matcher(member);
        if (!matcher.matches() || !AMOUNT.matcher(value).matches()) {
            return false;
        }
        double amount = Double.parseDouble(value);
        return amount <= 1 || amount == Math.rint(amount);
    }
}
