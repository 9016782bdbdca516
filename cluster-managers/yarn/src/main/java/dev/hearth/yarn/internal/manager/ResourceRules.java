package dev.hearth.yarn.internal.manager;

import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.settings.ResourceAmount;
import dev.hearth.yarn.internal.settings.YarnKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Resource types that have a setting of their own and must not be set as types of YARN: 22 pairs. Pure. */
final class ResourceRules {
    private static final List<String> MEMORY = List.of("memory", "mb", "memory-mb");
    private static final List<String> CORES = List.of("cores", "vcores", "cpu-vcores");
    private static final Map<String, String> DEVICES = Map.of("fpga", "yarn.io/fpga", "gpu", "yarn.io/gpu");

    private ResourceRules() {}

    /** A line for each forbidden setting among {@code settings}. */
    static List<String> problems(Settings settings) {
        List<String> problems = new ArrayList<>();
        for (String process : List.of("am", "driver", "executor")) {
            String own = process.equals("am") ? YarnKeys.PREFIX + "am" : "hearth." + process;
            MEMORY.forEach(type -> check(settings, process, type, own + ".memory", problems));
            CORES.forEach(type -> check(settings, process, type, own + ".cores", problems));
        }
        for (String process : List.of("driver", "executor")) {
            for (String device : List.of("fpga", "gpu")) {
                String own = "hearth." + process + ".resource." + device + ResourceAmount.SUFFIX;
                check(settings, process, DEVICES.getOrDefault(device, device), own, problems);
            }
        }
        return problems;
    }

    private static void check(Settings settings, String process, String type, String own, List<String> problems) {
        String family = YarnKeys.PREFIX + process + ".resource." + type;
        for (String key : List.of(family, family + ResourceAmount.SUFFIX)) {
            if (settings.find(key).isPresent()) {
                problems.add("Error: Do not use " + key + ", please use " + own + " instead!");
            }
        }
    }
}
