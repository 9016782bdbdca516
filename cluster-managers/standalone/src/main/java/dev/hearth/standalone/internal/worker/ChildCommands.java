package dev.hearth.standalone.internal.worker;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.application.CarriedBundles;
import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmitterEnvironment;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Processes that a worker starts for the orders of a master. Immutable. */
record ChildCommands(WorkerSpec spec) {
    /** The process of a driver whose files are at {@code places}. Fails with {@code BAD_ARGUMENT} or {@code BAD_SETTING}. */
    ChildSpec driver(LaunchDriver order, WorkerChild child, Map<ContentAddress, Path> places) {
        DriverSpec driver = order.driver();
        Settings settings = spec.children()
                .driver(driver.settings(), spec.address().host())
                .with("worker", ResourceRequest.chosenForDriver(ResourceInformation.byName(order.resources())));
        SubmissionPlan plan = driver.plan(settings);
        if (!places.isEmpty()) {
            plan = UploadSelection.placed(plan, content -> Objects.requireNonNull(places.get(content), content.name()));
        }
        Map<String, String> orders = DriverOrders.of(order.submission(), plan);
        if (child.supervised().isPresent()) {
            orders = DriverOrders.ofAttempt(orders, child.attempt());
        }
        if (!driver.bundles().isEmpty()) {
            List<Path> jars = driver.frozenBundles().stream()
                    .map(bundle -> Objects.requireNonNull(places.get(DriverSpec.addressOf(bundle)), bundle.toString())
                            .getParent())
                    .distinct()
                    .toList();
            orders = new CarriedBundles(driver.frozenBundles(), jars).in(orders);
        }
        Path directory = spec.directory().resolve(order.submission().value());
        return new ChildSpec("driver", ChildSpec.heap(driver.memoryMebibytes()), orders, directory)
                .ofAttempt(child.supervised().map(Supervised::attempt).orElse(0))
                .with(LaunchOptions.ofDriver(settings).over(SubmitterEnvironment.withoutMachine(driver.environment())));
    }

    /** The process of an executor of the driver at {@code driver}. Fails with {@code BAD_SETTING}. */
    ChildSpec executor(LaunchExecutor order, EndpointUri driver) {
        Map<String, String> settings = spec.children().executor(order.settings());
        settings.putAll(ResourceRequest.chosenForExecutor(ResourceInformation.byName(order.resources())));
        return new ExecutorOrders(order.executor(), spec.address().host(), order.cores(), driver)
                .child(
                        order.application(),
                        settings,
                        order.memoryMebibytes(),
                        spec.directory()
                                .resolve(order.application().value())
                                .resolve(order.executor().value()));
    }
}
