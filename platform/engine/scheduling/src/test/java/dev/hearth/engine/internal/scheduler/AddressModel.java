package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.id.ExecutorId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Model of the cores and addresses of a simulated cluster: which tasks hold which address. Fails when more tasks hold an
 * address than may share it, or when a task has not the number of addresses that it needs.
 */
final class AddressModel {
    /** Amounts of the resource that a task may need; the last one stands for no resource. */
    private static final List<String> AMOUNTS = List.of("0.1", "0.25", "0.5", "0.6", "1", "2", "3", "");

    private final long seed;
    private final int cpus;
    private final String amount;
    private final Map<String, Integer> tasks = new LinkedHashMap<>(); // by address
    private final Map<Long, List<String>> held = new LinkedHashMap<>(); // addresses by task

    AddressModel(long seed) {
        SplittableRandom random = new SplittableRandom(seed + 1);
        this.seed = seed;
        this.cpus = random.nextInt(3) == 0 ? 2 + random.nextInt(3) : 1;
        this.amount = random.nextBoolean() ? "" : AMOUNTS.get(random.nextInt(AMOUNTS.size()));
    }

    /** Keys and values of the settings of tasks and executors. */
    List<String> settings() {
        String cores = String.valueOf(cpus);
        return amount.isEmpty()
                ? List.of("task.cpus", cores)
                : List.of("task.cpus", cores, "task.resource.gpu.amount", amount, "executor.resource.gpu.amount", "99");
    }

    /** Cores of an executor that runs {@code slots} tasks at a time; some are left over. */
    int cores(int slots) {
        return slots * cpus + cpus - 1;
    }

    /** Addresses of an executor that runs {@code slots} tasks at a time. */
    Map<String, ResourceInformation> up(ExecutorId executor, int slots) {
        if (amount.isEmpty()) {
            return Map.of();
        }
        int count = (int) Math.ceil((double) slots * perTask() / shares());
        List<String> addresses = IntStream.range(0, count)
                .mapToObj(number -> executor + "-" + number)
                .toList();
        return Map.of("gpu", new ResourceInformation("gpu", addresses));
    }

    void launched(ExecutorId executor, long task, Map<String, ResourceInformation> resources) {
        List<String> own = resources.containsKey("gpu") ? resources.get("gpu").addresses() : List.of();
        check(own.size() == (amount.isEmpty() ? 0 : perTask()), "task " + task + " has addresses " + own);
        check(own.stream().distinct().count() == own.size(), "task " + task + " has an address twice: " + own);
        held.put(task, own);
        for (String address : own) {
            check(address.startsWith(executor + "-"), "address " + address + " on executor " + executor);
            check(tasks.merge(address, 1, Integer::sum) <= shares(), "too many tasks hold address " + address);
        }
    }

    void ended(long task) {
        held.remove(task).forEach(address -> tasks.merge(address, -1, Integer::sum));
    }

    boolean areFree() {
        return held.isEmpty() && tasks.values().stream().allMatch(count -> count == 0);
    }

    private int perTask() {
        return Math.max(1, (int) Double.parseDouble(amount));
    }

    private int shares() {
        return switch (amount) {
            case "0.1" -> 10;
            case "0.25" -> 4;
            case "0.5" -> 2;
            default -> 1;
        };
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("seed " + seed + ": " + what);
        }
    }
}
