package dev.hearth.itests.endtoend;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests on a real Kubernetes with one node: each test has a namespace and a gate of its own. */
@OnKubernetes
@ExtendWith(SharedLab.class)
abstract class PodClusterFixture {
    static final String GATED = "dev.hearth.itests.endtoend.app.GatedSum";
    static final String ROUNDS = "dev.hearth.itests.endtoend.app.GatedRounds";
    static final String PI = "dev.hearth.examples.Pi";
    static final String RUNNING = "Running";
    static final Duration BOUND = Duration.ofSeconds(60);
    static final Duration GONE_WITHIN = Duration.ofSeconds(10);

    @TempDir
    static Path scratch;

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    static Installation installation;
    static KubernetesLab lab;
    PodCluster cluster;
    Gate gate;

    @BeforeAll
    static void install() throws Exception {
        installation = Installation.in(scratch);
        lab = SharedLab.lab();
    }

    @BeforeEach
    void open(TestInfo test) throws Exception {
        String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        String unique = "t" + ProcessHandle.current().pid() + "-" + NAMESPACES.incrementAndGet() + "-";
        cluster = PodCluster.create(lab, installation, unique + name.substring(0, Math.min(40, name.length())));
        gate = cluster.gate();
    }

    @AfterEach
    void close() throws Exception {
        gate.close();
        for (ProcessHandle left : installation.processes()) {
            left.onExit().get(GONE_WITHIN.toSeconds(), TimeUnit.SECONDS);
        }
        lab.kubectl("delete", "namespace", cluster.namespace(), "--wait=false");
    }
}
