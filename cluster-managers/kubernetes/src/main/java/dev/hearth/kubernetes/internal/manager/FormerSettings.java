package dev.hearth.kubernetes.internal.manager;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings that have another name now: those of the Spark 2.2 that first ran on Kubernetes, and Spark's one factor of memory
 * for drivers and executors. Where both names are set, the present one is used. Pure.
 */
final class FormerSettings {
    private static final String PREFIX = KubernetesSettings.PREFIX;
    private static final String IMAGE = ".docker.image";

    /** Present names by former ones; the value goes to each of them. */
    private static final Map<String, List<String>> SUCCESSORS = successors();

    /** Families by the former setting that lists their members, as {@code name=value}. */
    private static final Map<String, String> FAMILIES = families();

    /** The declared settings. */
    static final List<SettingKey<?>> KEYS = keys();

    private FormerSettings() {}

    /** The settings by their present names. */
    static Settings resolved(Settings settings) {
        Settings resolved = settings;
        for (Map.Entry<String, List<String>> former : SUCCESSORS.entrySet()) {
            Optional<String> value = settings.find(former.getKey());
            for (String successor : former.getValue()) {
                if (value.isPresent() && settings.find(successor).isEmpty()) {
                    resolved = resolved.with(origin(settings, former.getKey()), successor, value.get());
                }
            }
            resolved = value.isPresent() ? resolved.without(former.getKey()) : resolved;
        }
        for (Map.Entry<String, String> former : FAMILIES.entrySet()) {
            Optional<String> list = settings.find(former.getKey());
            if (list.isPresent()) {
                for (Map.Entry<String, String> member : members(list.get()).entrySet()) {
                    String successor = former.getValue() + member.getKey();
                    if (settings.find(successor).isEmpty()) {
                        resolved = resolved.with(origin(settings, former.getKey()), successor, member.getValue());
                    }
                }
                resolved = resolved.without(former.getKey());
            }
        }
        return resolved;
    }

    /** A line for each former name in use, which names the present one. */
    static List<String> hints(Settings settings) {
        List<String> hints = new ArrayList<>();
        SUCCESSORS.forEach((former, successors) -> hint(settings, former, String.join(" and ", successors), hints));
        FAMILIES.forEach((former, family) -> hint(settings, former, family + "NAME", hints));
        return hints;
    }

    private static void hint(Settings settings, String former, String now, List<String> hints) {
        if (settings.find(former).isPresent()) {
            hints.add(former + ": a former name (expected: " + now + "); its value is used");
        }
    }

    private static String origin(Settings settings, String key) {
        return settings.origin(key).orElse("settings") + ", as " + key;
    }

    private static boolean isList(String text) {
        return text.isEmpty() || text.matches("[^,=]+=[^,]*(,[^,=]+=[^,]*)*");
    }

    private static Map<String, String> members(String list) {
        Map<String, String> members = new LinkedHashMap<>();
        if (isList(list)) {
            for (String member : list.split(",", -1)) {
                int end = member.indexOf('=');
                if (end > 0) {
                    members.put(
                            member.substring(0, end).strip(),
                            member.substring(end + 1).strip());
                }
            }
        }
        return members;
    }

    private static Map<String, List<String>> successors() {
        Map<String, List<String>> successors = new LinkedHashMap<>();
        for (String process : List.of("driver", "executor")) {
            successors.put(PREFIX + process + IMAGE, List.of(PREFIX + process + ".container.image"));
            successors.put(PREFIX + process + ".memoryOverhead", List.of("hearth." + process + ".memoryOverhead"));
        }
        successors.put(PREFIX + "docker.image.pullPolicy", List.of(PREFIX + "container.image.pullPolicy"));
        successors.put(
                PREFIX + "memoryOverheadFactor",
                List.of("hearth.driver.memoryOverheadFactor", "hearth.executor.memoryOverheadFactor"));
        return successors;
    }

    private static Map<String, String> families() {
        Map<String, String> families = new LinkedHashMap<>();
        for (String process : List.of("driver", "executor")) {
            families.put(PREFIX + process + ".labels", PREFIX + process + ".label.");
            families.put(PREFIX + process + ".annotations", PREFIX + process + ".annotation.");
        }
        return families;
    }

    private static List<SettingKey<?>> keys() {
        List<SettingKey<?>> keys = new ArrayList<>();
        SUCCESSORS.forEach((former, successors) ->
                keys.add(SettingKey.text(former, "", "Former name of " + String.join(" and ", successors) + ".")
                        .withoutDefault()));
        FAMILIES.forEach((former, family) -> keys.add(
                SettingKey.text(former, "", "Former way to set " + family + "*: a list of name=value, between commas.")
                        .obeying("name=value, between commas", FormerSettings::isList)
                        .withoutDefault()));
        return List.copyOf(keys);
    }

    /** Records the problems of lists in former settings. */
    static void check(Settings settings, List<String> problems) {
        FAMILIES.keySet()
                .forEach(former -> settings.find(former)
                        .filter(list -> !isList(list))
                        .ifPresent(list ->
                                problems.add(former + ": " + list + " (expected: name=value, between commas)")));
    }
}
