package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sums the squares of the partition numbers. The driver and every task report to the gate at port {@code args[0]} and
 * wait until it lets them pass. {@code args[1]} is the number of partitions.
 */
public final class GatedSum {
    private GatedSum() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int partitions = Integer.parseInt(args[1]);
        pass(port, "driver", 0);
        try (HearthContext context = HearthContext.builder().name("gated sum").open()) {
            List<Integer> numbers = IntStream.range(0, partitions).boxed().toList();
            int sum = context.parallelize(numbers, partitions)
                    .map(number -> {
                        pass(port, "task", number);
                        return number * number;
                    })
                    .reduce(Integer::sum);
            System.out.println("sum is " + sum);
        }
    }

    /**
     * Waits at the gate, which is on the host {@code GATE_HOST} of the environment or on this one. Public, because
     * serialised functions call it from another class.
     */
    public static void pass(int port, String who, int number) throws IOException {
        String host = System.getenv("GATE_HOST");
        String pod = System.getenv("SPARK_EXECUTOR_POD_NAME");
        long pid = pod == null ? ProcessHandle.current().pid() : 0; // the number in a pod means nothing outside
        try (Socket gate = new Socket(
                        host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host), port);
                PrintWriter out = new PrintWriter(gate.getOutputStream(), true, StandardCharsets.UTF_8)) {
            out.println(who + " " + pid + " " + number + (pod == null ? "" : " " + pod));
            if (gate.getInputStream().read() < 0) {
                throw new IOException("gate: closed");
            }
        }
    }
}
