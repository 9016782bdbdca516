package dev.hearth.kubernetes.internal.placement;

import dev.hearth.kubernetes.internal.api.Answer;

/** Answers of the API server in words for the user. Pure. */
public final class Words {
    private static final Answer.Handler<String> WORDS = new Answer.Handler<>() {
        @Override
        public String onDone(Answer.Done answer) {
            return "done";
        }

        @Override
        public String onPage(Answer.Page answer) {
            return answer.objects().size() + " objects";
        }

        @Override
        public String onExists(Answer.Exists answer) {
            return "an object named " + answer.object().name() + " exists already";
        }

        @Override
        public String onMissing(Answer.Missing answer) {
            return "there is no such object";
        }

        @Override
        public String onRefused(Answer.Refused answer) {
            return answer.words();
        }

        @Override
        public String onUnknown(Answer.Unknown answer) {
            return answer.words();
        }

        @Override
        public String onText(Answer.Text answer) {
            return answer.text();
        }
    };

    private Words() {}

    public static String of(Answer answer) {
        return answer.accept(WORDS);
    }
}
