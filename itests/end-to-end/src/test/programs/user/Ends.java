package user;

import dev.hearth.api.HearthContext;
import dev.hearth.api.event.ApplicationEvent;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Ends in one of the ways in which programs end; args[0] names the way. */
public final class Ends {
    private Ends() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "closes" -> closes();
            case "forgets" -> forgets();
            case "exits" -> exits();
            case "throws" -> throwsInMain();
            case "fails" -> failsInTask();
            case "thread" -> leavesWorkToAThread();
            case "waits" -> waits();
            case "deaf" -> deaf();
            case "late" -> opensLate();
            case "two" -> two();
            case "master" -> open(args[1]).close();
            case "where" -> where();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static HearthContext open(String master) {
        return HearthContext.builder().name("ends").master(master).open();
    }

    /** Opens a context that prints a line when the application has ended. */
    private static HearthContext opened(String master) {
        HearthContext context = open(master);
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.ApplicationEnded) {
                System.err.println("the application has ended");
            }
        });
        return context;
    }

    private static void closes() {
        try (HearthContext context = open("local[2]")) {
            System.out.println("sum " + context.parallelize(List.of(1, 2, 3), 2).reduce(Integer::sum));
        }
    }

    private static void forgets() {
        System.out.println(
                "count " + open("local[2]").parallelize(List.of(1, 2, 3), 2).count());
    }

    private static void exits() {
        try (HearthContext context = open("local[2]")) {
            System.out.println(
                    "count " + context.parallelize(List.of(1, 2, 3), 2).count());
            System.exit(3);
        }
    }

    private static void throwsInMain() {
        try (HearthContext context = open("local[2]")) {
            context.parallelize(List.of(1, 2, 3), 2).count();
            throw new IllegalStateException("by main");
        }
    }

    private static void failsInTask() {
        try (HearthContext context = open("local[2]")) {
            context.parallelize(List.of(1, 2, 3), 3).map(Ends::fail).count();
        }
    }

    private static int fail(int number) {
        throw new IllegalArgumentException("by task of " + number);
    }

    private static void leavesWorkToAThread() {
        HearthContext context = open("local[2]");
        CountDownLatch mainIsOver = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        new Thread(() -> {
                    mainIsOver.countDown();
                    join(main);
                    System.out.println(
                            "count " + context.parallelize(List.of(1, 2, 3), 2).count());
                    context.close();
                })
                .start();
        join(mainIsOver);
    }

    private static void waits() {
        try (HearthContext context = opened("local[2]")) {
            context.parallelize(List.of(1, 2), 2).map(Ends::waitLong).count();
        }
    }

    private static int waitLong(int number) throws InterruptedException {
        System.out.println("task " + number);
        new CountDownLatch(1).await();
        return number;
    }

    private static void deaf() {
        try (HearthContext context = opened("local[2]")) {
            context.parallelize(List.of(1, 2), 2).map(Ends::waitDeaf).count();
        }
    }

    private static int waitDeaf(int number) {
        System.out.println("task " + number);
        for (; ; ) {
            join(new CountDownLatch(1));
        }
    }

    private static void opensLate() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                open("local[1]").close();
                System.out.println("opened");
            } catch (RuntimeException refused) {
                System.out.println(refused.getMessage());
            }
        }));
        open("local[1]");
        System.exit(0);
    }

    private static void two() {
        HearthContext one = HearthContext.builder()
                .name("one")
                .master("local[1]")
                .setting("spark.default.parallelism", "3")
                .open();
        try (HearthContext two = HearthContext.builder()
                .name("two")
                .master("local[2]")
                .setting("hearth.default.parallelism", "5")
                .open()) {
            System.out.println(one.applicationName() + " " + one.master() + " "
                    + one.parallelize(List.of(1, 2)).partitions());
            one.close();
            one.close();
            System.out.println(two.applicationName() + " " + two.master() + " "
                    + two.parallelize(List.of(1, 2)).partitions());
            System.out.println("count " + two.parallelize(List.of(1, 2)).count());
        }
    }

    /** The engine in use: the one that the program brings, or the launcher's. */
    private static void where() throws ReflectiveOperationException {
        closes();
        try {
            System.out.println("own engine "
                    + Class.forName("dev.hearth.embedded.EmbeddedContexts").getName());
        } catch (ClassNotFoundException hidden) {
            System.out.println("launcher's engine");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException ignoredOnPurpose) {
            System.out.println("interrupted");
        }
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ignoredOnPurpose) {
            Thread.interrupted();
        }
    }
}
