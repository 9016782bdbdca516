package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Addresses of the resources of one worker, and the driver or executor that holds each of them. Owned by {@link
 * WorkerRecord}.
 * <p>Invariant: an address has at most one holder. It keeps its holder until the worker has reported the end of that
 * process, even if its application has ended before, because the process may still use the address.
 */
final class AddressLedger {
    private final Map<String, Set<String>> free = new LinkedHashMap<>(); // by resource
    private final Map<String, Integer> totals = new LinkedHashMap<>(); // by resource
    private final Map<String, List<ResourceInformation>> held = new LinkedHashMap<>(); // by holder

    AddressLedger(List<ResourceInformation> resources) {
        resources.forEach(resource -> {
            LinkedHashSet<String> addresses = new LinkedHashSet<>(resource.addresses());
            free.put(resource.name(), addresses);
            totals.put(resource.name(), addresses.size());
        });
    }

    /** Whether {@code processes} more processes fit, each of which needs the numbers of addresses in {@code amounts}. */
    boolean fits(Map<String, Integer> amounts, int processes) {
        return amounts.entrySet().stream()
                .allMatch(need -> (long) need.getValue() * processes
                        <= free.getOrDefault(need.getKey(), Set.of()).size());
    }

    /** Takes addresses for {@code holder}, in the order in which they became free. There must be enough. */
    List<ResourceInformation> take(String holder, Map<String, Integer> amounts) {
        if (amounts.isEmpty()) {
            return List.of();
        }
        if (!fits(amounts, 1) || held.containsKey(holder)) {
            throw new IllegalStateException(
                    "resources of " + holder + ": " + amounts + " (expected: at most the free " + free + ", and once)");
        }
        List<ResourceInformation> taken = new ArrayList<>();
        amounts.forEach((name, amount) -> {
            Set<String> addresses = free.getOrDefault(name, Set.of());
            List<String> chosen = addresses.stream().limit(amount).toList();
            chosen.forEach(addresses::remove);
            taken.add(new ResourceInformation(name, chosen));
        });
        held.put(holder, taken);
        return taken;
    }

    List<ResourceInformation> heldBy(String holder) {
        return held.getOrDefault(holder, List.of());
    }

    /** Whether all addresses of {@code wanted} are free. */
    boolean hasFree(List<ResourceInformation> wanted) {
        return wanted.stream()
                .allMatch(
                        resource -> free.getOrDefault(resource.name(), Set.of()).containsAll(resource.addresses()));
    }

    /** Takes these addresses, which are free, for {@code holder}. */
    void claim(String holder, List<ResourceInformation> used) {
        if (!used.isEmpty()) {
            used.forEach(
                    resource -> free.getOrDefault(resource.name(), Set.of()).removeAll(resource.addresses()));
            held.put(holder, used);
        }
    }

    /** Takes back what {@code holder} has. Returns whether it had anything. */
    boolean giveBack(String holder) {
        List<ResourceInformation> returned = held.remove(holder);
        if (returned != null) {
            returned.forEach(resource ->
                    free.getOrDefault(resource.name(), new LinkedHashSet<>()).addAll(resource.addresses()));
        }
        return returned != null;
    }

    /** Addresses that processes hold, by resource. */
    List<ResourceInformation> held() {
        Map<String, List<String>> addresses = new LinkedHashMap<>();
        held.values().stream()
                .flatMap(List::stream)
                .forEach(resource -> addresses
                        .computeIfAbsent(resource.name(), first -> new ArrayList<>())
                        .addAll(resource.addresses()));
        return addresses.entrySet().stream()
                .map(entry -> new ResourceInformation(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Number of addresses of {@code resource} that the worker has, free or held. */
    int total(String resource) {
        return totals.getOrDefault(resource, 0);
    }

    /** Number of addresses of {@code resource} that no process holds. */
    int free(String resource) {
        return free.getOrDefault(resource, Set.of()).size();
    }
}
