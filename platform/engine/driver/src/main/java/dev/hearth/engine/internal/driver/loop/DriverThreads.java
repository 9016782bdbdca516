package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.driver.serving.ServedFiles;
import dev.hearth.engine.internal.driver.serving.SharedVariables;
import dev.hearth.engine.internal.executor.ApplicationThreads;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.executor.ReaperSettings;
import dev.hearth.engine.internal.executor.TaskClocks;
import dev.hearth.engine.internal.executor.TaskServices;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.resource.TaskNeeds;
import java.util.Optional;

/** Creates the threads of a driver that run code of the application, and the services of tasks in its process. */
final class DriverThreads {
    private static final int ANSWERING_THREADS_MAX = 8;

    private DriverThreads() {}

    /** Threads for code of the application outside tasks. */
    static ApplicationThreads answering(DriverSetup setup) {
        return setup.answering()
                .map(ApplicationThreads::new)
                .orElseGet(() ->
                        new ApplicationThreads("hearth-answers", setup.code().classes(), ANSWERING_THREADS_MAX));
    }

    /** Services of tasks that run inside the driver's process. */
    static TaskServices services(
            DriverSetup setup,
            UserObjectSerializer objects,
            CommitsAndBarriers coordination,
            SharedVariables shared,
            DataPlane data,
            ServedFiles served,
            TaskNeeds needs) {
        return new TaskServices(
                objects,
                true,
                coordination,
                (task, value, subject) -> new TaskResult.Encoded(objects.write(value, subject)),
                shared,
                data,
                Optional.empty(),
                served.attaching().files(),
                TaskClocks.system(),
                ReaperSettings.from(setup.settings()),
                TaskServices.FatalErrorHandler.SURVIVE,
                needs.cpus());
    }
}
