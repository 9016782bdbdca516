package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Bytes;
import java.util.List;

/** What the task scheduler wants done, in order. Closed: a shell stops compiling until it performs a new one. */
sealed interface SchedulerEffect {
    void perform(Handler handler);

    record Define(ExecutorId executor, TemplateId template, StageTemplate body) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDefine(this);
        }
    }

    record Launch(ExecutorId executor, TemplateId template, List<TaskLaunch> tasks) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onLaunch(this);
        }
    }

    record Kill(ExecutorId executor, long task) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onKill(this);
        }
    }

    record Forget(ExecutorId executor, TemplateId template) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onForget(this);
        }
    }

    /** All tasks of a job have succeeded; {@code values} are in partition order. */
    record Completed(long job, List<Bytes> values) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCompleted(this);
        }
    }

    record Failed(long job, HearthException failure) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onFailed(this);
        }
    }

    interface Handler { // no default methods: they would hide a missing case
        void onDefine(Define effect);

        void onLaunch(Launch effect);

        void onKill(Kill effect);

        void onForget(Forget effect);

        void onCompleted(Completed effect);

        void onFailed(Failed effect);
    }
}
