package dev.hearth.yarn.internal.allocator;

import dev.hearth.yarn.internal.line.ContainerAsk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Picks the hosts that asks name, in proportion to the tasks that prefer them, as Spark does. A host that lacks more
 * executors is named by more asks; the sets of hosts are nested, so that the ResourceManager sees one row per host. If there
 * are more hosts than an ask may name, they are dealt to the asks in turn. Pure; linear in hosts and names.
 */
final class LocalityPlacement {
    private LocalityPlacement() {}

    /**
     * Hosts of each of {@code count} new asks; those without hosts come first. {@code executors} are needed for the tasks that
     * prefer hosts, {@code held} run on a host, and {@code open} asks of the pool count as well.
     */
    static List<List<String>> plan(
            int count, int executors, Map<String, Integer> tasksByHost, ToIntFunction<String> held, OpenAsks open) {
        Map<String, Integer> lacking = lacking(executors, tasksByHost, held, open);
        long sum = 0;
        int most = 0;
        for (int host : lacking.values()) {
            sum += host;
            most = Math.max(most, host);
        }
        int local = (int) Math.min(count, sum);
        List<List<String>> plan = new ArrayList<>(count);
        for (int free = count - local; free > 0; free--) {
            plan.add(List.of());
        }
        Map<String, Integer> named = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> host : lacking.entrySet()) {
            named.put(host.getKey(), (int) Math.ceil((double) host.getValue() * local / most));
        }
        plan.addAll(named.size() <= ContainerAsk.HOSTS_MAX ? nested(local, named) : dealt(local, named));
        return plan;
    }

    /** Number of executors that each host lacks; only hosts that lack some. */
    private static Map<String, Integer> lacking(
            int executors, Map<String, Integer> tasksByHost, ToIntFunction<String> held, OpenAsks open) {
        long tasks = 0;
        for (int host : tasksByHost.values()) {
            tasks += host;
        }
        long names = 0;
        for (String host : open.hosts()) {
            names += open.naming(host);
        }
        int local = open.size() - open.anywhere().size();
        Map<String, Integer> lacking = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> host : tasksByHost.entrySet()) {
            if (host.getValue() > 0) {
                double expected = host.getValue().doubleValue() * executors / tasks;
                int naming = open.naming(host.getKey());
                double pending = naming == 0 ? 0 : naming * (double) local / names;
                int lacks = (int) Math.ceil(expected - (held.applyAsInt(host.getKey()) + pending));
                if (lacks > 0) {
                    lacking.put(host.getKey(), lacks);
                }
            }
        }
        return lacking;
    }

    private static List<List<String>> nested(int asks, Map<String, Integer> named) {
        List<List<String>> plan = new ArrayList<>(asks);
        List<String> previous = List.of();
        for (int ask = 0; ask < asks; ask++) {
            int index = ask;
            List<String> hosts = named.entrySet().stream()
                    .filter(host -> host.getValue() > index)
                    .map(Map.Entry::getKey)
                    .toList();
            previous = hosts.equals(previous) ? previous : hosts; // one list for all equal ones
            plan.add(previous);
        }
        return plan;
    }

    /** Deals each host to as many asks as it is named by, in turn; the most named hosts first, as long as there is room. */
    private static List<List<String>> dealt(int asks, Map<String, Integer> named) {
        List<Map.Entry<String, Integer>> hosts = new ArrayList<>(named.entrySet());
        hosts.sort(Comparator.comparing(Map.Entry<String, Integer>::getValue).reversed());
        long total = 0;
        for (Map.Entry<String, Integer> host : hosts) {
            total += host.getValue();
        }
        long room = (long) asks * ContainerAsk.HOSTS_MAX;
        double share = Math.min(1, (double) room / total);
        List<List<String>> plan = new ArrayList<>(asks);
        for (int ask = 0; ask < asks; ask++) {
            plan.add(new ArrayList<>(ContainerAsk.HOSTS_MAX));
        }
        int next = 0;
        for (Map.Entry<String, Integer> host : hosts) {
            int times = (int) Math.min(room, Math.max(1, (long) (host.getValue() * share)));
            for (int time = 0; time < times; time++) {
                plan.get(next).add(host.getKey());
                next = next + 1 == asks ? 0 : next + 1;
            }
            room -= times;
        }
        return plan;
    }
}
