import java.io.BufferedReader;
import java.io.FileReader;
import weka.classifiers.Evaluation;
import weka.core.Instances;

/** Prints Weka's report of answers: rows of an ARFF file with the answer, or ? for none, and the class. */
public class WekaReport {
    public static void main(String[] arguments) throws Exception {
        Instances rows = new Instances(new BufferedReader(new FileReader(arguments[0])));
        rows.setClassIndex(1);
        Evaluation evaluation = new Evaluation(rows);
        for (int at = 0; at < rows.numInstances(); at++) {
            double[] shares = new double[rows.numClasses()];
            if (!rows.instance(at).isMissing(0)) {
                shares[(int) rows.instance(at).value(0)] = 1.0;
            }
            evaluation.evaluateModelOnceAndRecordPrediction(shares, rows.instance(at));
        }
        System.out.print(evaluation.toSummaryString("=== Summary ===\n", false));
        System.out.println("---");
        for (int at = 0; at < rows.numClasses(); at++) {
            System.out.printf(java.util.Locale.ROOT, "%.3f %.3f %.3f %.3f %.3f%n",
                evaluation.truePositiveRate(at), evaluation.falsePositiveRate(at), evaluation.precision(at),
                evaluation.recall(at), evaluation.fMeasure(at));
        }
        System.out.println("---");
        System.out.print(evaluation.toMatrixString());
    }
}
