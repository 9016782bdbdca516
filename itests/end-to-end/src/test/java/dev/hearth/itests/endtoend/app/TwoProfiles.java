package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.resource.ExecutorResourceRequests;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.api.resource.ResourceProfileBuilder;
import java.util.List;

/**
 * Sums a number in two stages: the first one on executors as the settings say, the second one on larger ones. The task of each
 * stage reports to the gate at port {@code args[0]} and waits until it lets it pass.
 */
public final class TwoProfiles {
    private TwoProfiles() {}

    public static void main(String[] args) {
        int port = Integer.parseInt(args[0]);
        ResourceProfile larger = new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().cores(2).memory("400m").memoryOverhead("240m"))
                .build();
        try (HearthContext context =
                HearthContext.builder().name("two profiles").open()) {
            System.out.println(context.parallelize(List.of(6), 1)
                    .mapToPair(number -> {
                        GatedSum.pass(port, "map", number);
                        return Pair.of("sum", number);
                    })
                    .reduceByKey(Integer::sum, 1)
                    .map(pair -> {
                        GatedSum.pass(port, "reduce", pair.value());
                        return pair.key() + " is " + pair.value();
                    })
                    .withResources(larger)
                    .collect());
        }
    }
}
