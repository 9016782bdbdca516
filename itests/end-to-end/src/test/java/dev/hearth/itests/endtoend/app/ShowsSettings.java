package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;

/** Prints the cores of the executors, the maximum heap of the driver, and the settings whose keys are its arguments. */
public final class ShowsSettings {
    private ShowsSettings() {}

    public static void main(String[] keys) {
        try (HearthContext context = HearthContext.builder().name("settings").open()) {
            System.out.println("cores " + context.defaultParallelism());
            System.out.println("heap " + Runtime.getRuntime().maxMemory());
            for (String key : keys) {
                System.out.println(key + " " + context.settings().get(key));
            }
        }
    }
}
